import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { InputError } from '../errors.ts';

/** Largest file that is read, bytes; the largest house here has 6,000. */
export const fileBytesMax = 1_048_576;

/** A TOML file as read: its data before any schema, and the SHA-256 (64 hex digits) of its bytes. */
export interface TomlFile {
  readonly data: unknown;
  readonly sha256: string;
}

/** Reads a TOML file. @param area first part of the error codes.
 *  @throws InputError `config.unreadable`, `config.not-toml`, `house.unreadable`, `house.not-toml`. */
export function readTomlFile(path: string, area: 'config' | 'house'): TomlFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new InputError(`${area}.unreadable`, `cannot read ${path}: ${error instanceof Error ? error.message : error}`, [], {
      cause: error,
    });
  }
  if (bytes.length > fileBytesMax) {
    throw new InputError(`${area}.unreadable`, `${path} has ${bytes.length} bytes, at most ${fileBytesMax} are read`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { data: parse(text), sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    const place = error instanceof TomlError ? ` in line ${error.line}, column ${error.column}` : '';
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new InputError(`${area}.not-toml`, `${path} is not TOML${place}: ${reason}`, [], { cause: error });
  }
}
