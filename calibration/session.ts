import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Face, isFace } from '../src/core/rules/dice.ts';
import { InputError } from '../src/errors.ts';
import { appendLine, makeFolder, writeWholeFile } from './whole-file.ts';

const settingsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  technician: z.string().min(1).max(80),
  supervisor: z.string().max(80),
  why: z.string().min(1).max(400),
  dieEdgeMm: z.number().min(8).max(40),
  /** Calibration fitted from this session's samples, and how many there were; null before the fit. */
  fitted: z.strictObject({ profileId: z.string(), sampleCount: z.number().int() }).nullable(),
});

/** What the technician has said once and need not say again. */
export type SessionSettings = z.infer<typeof settingsSchema>;

const rowSchema = z.looseObject({
  file: z.string(),
  kind: z.enum(['camera', 'empty_ref', 'calib', 'test']),
  values: z.array(z.number().int().min(1).max(6)),
  resolution: z.tuple([z.number(), z.number()]),
});

/** One picture of a session: a row of its `labels.jsonl`. */
export type SessionRow = z.infer<typeof rowSchema>;

/** What belongs to a new picture. */
export interface SessionPicture {
  readonly kind: SessionRow['kind'];
  readonly jpeg: Buffer;
  readonly resolution: readonly [number, number];
  /** Faces on top; empty where none are known. */
  readonly values: readonly Face[];
  /** False for a throw that must not be taken as a result. */
  readonly isValid: boolean;
  /** What a `test` picture shows, for the report; "throw" or "not a valid throw" when left out. */
  readonly className?: string;
  readonly capturedMs: number | null;
}

/** A calibration under way: a folder of labelled pictures in the form that `fit` and `validate` read. Every picture and every answer is on disk
 *  before the next step, so that a session goes on where it stopped, after Ctrl-C and after a power cut. */
export class CalibrationSession {
  readonly folder: string;
  #rows: SessionRow[];
  #settings: SessionSettings | null;

  /** Opens a session or begins one. @throws InputError `calibration.session` when its files are damaged, `calibration.unwritable`. */
  constructor(folder: string) {
    this.folder = folder;
    makeFolder(folder);
    this.#settings = existsSync(this.#settingsFile) ? settingsOf(this.#settingsFile) : null;
    const text = existsSync(this.#labelsFile) ? readFileSync(this.#labelsFile, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    this.#rows = whole.split('\n').flatMap((line) => (line === '' ? [] : [rowOf(line, this.#labelsFile)]));
    // What a power cut tore was not acknowledged.
    if (whole !== text) writeWholeFile(this.#labelsFile, whole);
  }

  get settings(): SessionSettings | null {
    return this.#settings;
  }

  set settings(settings: SessionSettings | null) {
    if (settings === null) return;
    writeWholeFile(this.#settingsFile, `${JSON.stringify(settingsSchema.parse(settings), null, 1)}\n`);
    this.#settings = settings;
  }

  rows(kind: SessionRow['kind']): readonly SessionRow[] {
    return this.#rows.filter((row) => row.kind === kind);
  }

  /** The bytes of a row's picture. @throws InputError `calibration.session`. */
  jpegOf({ file }: SessionRow): Buffer {
    try {
      return readFileSync(join(this.folder, file));
    } catch (error) {
      throw new InputError('calibration.session', `${join(this.folder, file)} cannot be read`, [], { cause: error });
    }
  }

  /** Keeps a picture; on disk when it returns: first the picture, then its row. */
  add({ kind, jpeg, resolution, values, isValid, className, capturedMs }: SessionPicture): void {
    const number = 1 + Math.max(0, ...this.#rows.map(({ file }) => Number(/(\d+)\.jpg$/.exec(file)?.[1] ?? 0)));
    const file = `${kind}-${String(number).padStart(4, '0')}.jpg`;
    writeWholeFile(join(this.folder, file), jpeg);
    const row = {
      file,
      kind,
      values: [...values],
      resolution: [...resolution] as [number, number],
      ...(this.#settings === null ? {} : { die_edge_mm: this.#settings.dieEdgeMm }),
      ...(kind === 'test' ? { valid: isValid, class: className ?? (isValid ? 'throw' : 'not a valid throw') } : {}),
      ...(capturedMs === null ? {} : { captured_ms: Math.round(capturedMs) }),
    };
    appendLine(this.#labelsFile, JSON.stringify(row));
    this.#rows.push(row);
  }

  /** Takes the newest picture of a kind back. @returns its row, or null when there is none. The picture's file stays. */
  takeBack(kind: SessionRow['kind']): SessionRow | null {
    const row = this.rows(kind).at(-1) ?? null;
    if (row !== null) this.#keepOnly((each) => each !== row);
    return row;
  }

  /** Takes single pictures back. Their files stay. */
  remove(rows: readonly SessionRow[]): void {
    this.#keepOnly((row) => !rows.includes(row));
  }

  /** Takes all pictures of some kinds back, to take them anew. */
  clear(...kinds: readonly SessionRow['kind'][]): void {
    this.#keepOnly(({ kind }) => !kinds.includes(kind));
  }

  #keepOnly(isKept: (row: SessionRow) => boolean): void {
    const rows = this.#rows.filter(isKept);
    writeWholeFile(this.#labelsFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    this.#rows = rows;
  }

  get #labelsFile(): string {
    return join(this.folder, 'labels.jsonl');
  }

  get #settingsFile(): string {
    return join(this.folder, 'session.json');
  }
}

/** Faces of a row. */
export function facesOf({ values }: SessionRow): readonly Face[] {
  return values.filter(isFace);
}

function settingsOf(path: string): SessionSettings {
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new InputError('calibration.session', `${path} is damaged; remove the folder to begin anew`, [], { cause: error });
  }
}

function rowOf(line: string, path: string): SessionRow {
  try {
    return rowSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new InputError(
      'calibration.session',
      `${path} has a damaged line; remove the folder to begin anew`,
      [line.slice(0, 80)],
      {
        cause: error,
      },
    );
  }
}
