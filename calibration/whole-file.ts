import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../src/errors.ts';

/** Writes a file so that a power cut leaves either the old or the new one: to a new name, to disk, then renamed.
 *  @throws InputError `calibration.unwritable`. */
export function writeWholeFile(path: string, content: string | Buffer): void {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = openSync(temporary, 'wx');
    try {
      const bytes = Buffer.from(content);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(path, error);
  }
}

/** Adds a line to a file and has it on disk before it returns. A line that a power cut tore lacks its end; whoever reads the file must pass it over.
 *  @throws InputError `calibration.unwritable`. */
export function appendLine(path: string, line: string): void {
  try {
    const file = openSync(path, 'a');
    try {
      writeSync(file, `${line}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    syncFolder(dirname(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes a folder and those above it where they are missing. Level by level: Node's own `recursive` never returns where a file system has no such folder and
 *  allows none (`/proc`). @throws InputError `calibration.unwritable`. */
export function makeFolder(path: string): void {
  try {
    if (existsSync(path)) {
      if (!statSync(path).isDirectory()) throw new Error('it is a file, a folder is needed');
      return;
    }
    const above = dirname(path);
    if (above !== path) makeFolder(above);
    mkdirSync(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw unwritable(path, error);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function unwritable(path: string, error: unknown): InputError {
  const detail = error instanceof Error ? error.message : 'unknown';
  return new InputError('calibration.unwritable', `${path} cannot be written: ${detail}`, [], { cause: error });
}
