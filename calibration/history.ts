import { createHash } from 'node:crypto';
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import { InputError } from '../src/errors.ts';
import { appendLine } from './whole-file.ts';

const entrySchema = z.strictObject({
  /** From 1, without gaps. */
  number: z.number().int().min(1),
  at: z.iso.datetime(),
  action: z.enum(['fitted', 'validated', 'activated', 'rolled-back']),
  profileId: z.string().min(1),
  /** SHA-256 of the calibration's file. */
  profileSha256: z.string().length(64),
  by: z.string().min(1).max(80),
  /** The supervisor, where two persons are needed. */
  second: z.string().min(1).max(80).nullable(),
  why: z.string().min(1).max(400),
  /** Of `validated`: how it ended, and the SHA-256 of its figures (the `.validation.json` beside the report). */
  validation: z
    .strictObject({
      isPassed: z.boolean(),
      sha256: z.string().length(64),
      report: z.string(),
      /** SHA-256 of the report that is signed. Absent in entries of earlier versions. */
      reportSha256: z.string().length(64).exactOptional(),
    })
    .nullable(),
  /** Of `activated` without a passed validation: the reason that was given. */
  withoutValidation: z.string().min(1).max(400).nullable(),
  /** Hash of the entry before; 64 zeros for the first. */
  previousHash: z.string().length(64),
  hash: z.string().length(64),
});

/** One act on the calibrations of a table, as it stands in the history for ever. */
export type HistoryEntry = z.infer<typeof entrySchema>;

/** An act before it has its place in the history. */
export type HistoryAct = Omit<HistoryEntry, 'number' | 'previousHash' | 'hash'>;

const noHash = '0'.repeat(64);

/** Reads and checks the history. A last line that a power cut tore was told to nobody and is passed over. An absent file is an empty history.
 *  @throws InputError `calibration.history-damaged` with the first line that is changed, missing or no entry. */
export function readHistory(path: string): readonly HistoryEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const entries: HistoryEntry[] = [];
  for (const line of lines) {
    const entry = parsed(line);
    const previousHash = entries.at(-1)?.hash ?? noHash;
    const isNext = entry !== null && entry.number === entries.length + 1 && entry.previousHash === previousHash;
    if (!isNext || entry.hash !== hashOf(entry)) {
      throw new InputError(
        'calibration.history-damaged',
        `${path} has been changed: line ${entries.length + 1} does not follow from the lines before it; keep the folder as it is for whoever looks into it, move it away and calibrate anew`,
      );
    }
    entries.push(entry);
  }
  return entries;
}

/** Adds an act to the history; on disk when it returns. @throws InputError `calibration.history-damaged`, `calibration.unwritable`. */
export function appendHistory(path: string, act: HistoryAct): HistoryEntry {
  const entries = readHistory(path);
  dropTornLine(path);
  const bare = { number: entries.length + 1, ...act, previousHash: entries.at(-1)?.hash ?? noHash };
  const entry = entrySchema.parse({ ...bare, hash: hashOf(bare) });
  appendLine(path, JSON.stringify(entry));
  return entry;
}

function dropTornLine(path: string): void {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
}

function parsed(line: string): HistoryEntry | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** SHA-256 over all keys but the hash itself, in the order of the schema. */
function hashOf(entry: Omit<HistoryEntry, 'hash'>): string {
  const keys = Object.keys(entrySchema.shape).filter((key) => key !== 'hash') as (keyof Omit<HistoryEntry, 'hash'>)[];
  return createHash('sha256')
    .update(JSON.stringify(keys.map((key) => entry[key])))
    .digest('hex');
}
