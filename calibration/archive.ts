import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../src/errors.ts';
import { lockFile } from './file-lock.ts';
import { appendHistory, type HistoryEntry, readHistory } from './history.ts';
import { type CalibrationProfile, profileText, readProfile } from './profile.ts';
import { fileSha256, type Validation } from './validate.ts';
import { makeFolder, writeWholeFile } from './whole-file.ts';

/** Who activates, and why. */
export interface ActivationOrder {
  readonly technician: string;
  readonly supervisor: string;
  readonly why: string;
  /** ISO date and time. */
  readonly at: string;
}

/** Longest wait for another process that works on the same archive, ms: an act takes some 20 ms. */
const lockWaitMs = 5_000;

/** Every calibration of a table that was ever fitted, what was done with it and by whom. Files are never changed and never removed:
 *  `profiles/<id>.json`, `reports/`, `history.jsonl`. The table itself reads one plain file, the active one, which is a copy. Several processes may work
 *  on one archive: each act holds `history.lock` from its first look to its last byte. */
export class CalibrationArchive {
  readonly #folder: string;
  readonly #activeFile: string;

  /** @param activeFile the file that the table reads (`camera.calibrationFile`). */
  constructor(folder: string, activeFile: string) {
    this.#folder = folder;
    this.#activeFile = activeFile;
  }

  /** @throws InputError `calibration.history-damaged`. */
  get history(): readonly HistoryEntry[] {
    return readHistory(this.#historyFile);
  }

  /** The calibration that the history says is active, and the file that the table reads. `isSame` is false when somebody put another file there,
   *  or a power cut came between the two: activate again. */
  get active(): { readonly profileId: string | null; readonly isSame: boolean } {
    const entry = this.#activations.at(-1);
    const fileHash = existsSync(this.#activeFile) ? fileSha256(readFileSync(this.#activeFile)) : null;
    return { profileId: entry?.profileId ?? null, isSame: fileHash === (entry?.profileSha256 ?? null) };
  }

  /** Path of a calibration. @throws InputError `calibration.unknown`. */
  pathOf(profileId: string): string {
    const path = join(this.#folder, 'profiles', `${profileId}.json`);
    if (!/^[\w.-]+$/.test(profileId) || !existsSync(path)) {
      throw new InputError(
        'calibration.unknown',
        `there is no calibration ${profileId} in ${this.#folder}; see "sicbo calibrate list"`,
      );
    }
    return path;
  }

  /** A calibration as it was fitted. @throws InputError `calibration.unknown`, `calibration.changed` when its file is not what was kept. */
  profile(profileId: string): { readonly profile: CalibrationProfile; readonly sha256: string } {
    const path = this.pathOf(profileId);
    const sha256 = fileSha256(readFileSync(path));
    const fitted = this.history.find((entry) => entry.action === 'fitted' && entry.profileId === profileId);
    if (fitted?.profileSha256 !== sha256)
      throw new InputError('calibration.changed', `${path} is not the file that was kept when it was fitted`);
    return { profile: readProfile(path), sha256 };
  }

  /** Keeps a new calibration. @returns its file's SHA-256. @throws InputError `calibration.exists`, `calibration.unwritable`. */
  keep(profile: CalibrationProfile): string {
    return this.#locked(() => this.#keepLocked(profile));
  }

  #keepLocked(profile: CalibrationProfile): string {
    const folder = join(this.#folder, 'profiles');
    makeFolder(folder);
    const path = join(folder, `${profile.id}.json`);
    if (this.history.some(({ profileId }) => profileId === profile.id))
      throw new InputError('calibration.exists', `calibration ${profile.id} is kept already`);
    writeWholeFile(path, profileText(profile));
    const sha256 = fileSha256(readFileSync(path));
    this.#append({
      at: profile.createdAt,
      action: 'fitted',
      profileId: profile.id,
      profileSha256: sha256,
      by: profile.createdBy,
      why: profile.why,
    });
    return sha256;
  }

  /** Keeps a validation with its report. @returns the report's path. */
  keepValidation({ profile, profileSha256, validatedAt, isPassed }: Validation, html: string, json: string, by: string): string {
    const folder = join(this.#folder, 'reports');
    makeFolder(folder);
    const name = `${profile.id}-${validatedAt.replace(/[:.]/g, '')}`;
    writeWholeFile(join(folder, `${name}.html`), html);
    writeWholeFile(join(folder, `${name}.validation.json`), json);
    this.#locked(() =>
      this.#append({
        at: validatedAt,
        action: 'validated',
        profileId: profile.id,
        profileSha256,
        by,
        why: isPassed ? 'every stated limit was kept' : 'a stated limit was not kept or not measured',
        validation: {
          isPassed,
          sha256: fileSha256(Buffer.from(json)),
          report: `reports/${name}.html`,
          reportSha256: fileSha256(Buffer.from(html)),
        },
      }),
    );
    return join(folder, `${name}.html`);
  }

  /** The newest validation of a calibration, or null. */
  validationOf(profileId: string): HistoryEntry | null {
    return this.history.filter((entry) => entry.action === 'validated' && entry.profileId === profileId).at(-1) ?? null;
  }

  /** Makes a calibration the one that the table reads from its next start on. @param withoutValidation reason for activating one whose newest
   *  validation did not pass, or that has none; null demands a passed one.
   *  @throws InputError `calibration.two-persons`, `calibration.not-validated`, `calibration.unknown`, `calibration.changed`. */
  activate(profileId: string, order: ActivationOrder, withoutValidation: string | null): void {
    this.#demandTwoPersons(order);
    this.#locked(() => this.#activateLocked(profileId, order, withoutValidation));
  }

  #activateLocked(profileId: string, order: ActivationOrder, withoutValidation: string | null): void {
    const { sha256 } = this.profile(profileId);
    const newest = this.validationOf(profileId);
    if (newest !== null) this.#demandUntouched(newest);
    const isValidated = newest?.validation?.isPassed === true && newest.profileSha256 === sha256;
    if (!isValidated && withoutValidation === null) {
      const detail = newest === null ? 'has not been validated' : 'did not pass its newest validation';
      throw new InputError(
        'calibration.not-validated',
        `calibration ${profileId} ${detail}; validate it, or give a reason with --without-validation`,
      );
    }
    this.#makeActive('activated', profileId, sha256, order, isValidated ? null : withoutValidation);
  }

  /** Goes back to the calibration that was active before the present one. @returns its id.
   *  @throws InputError `calibration.nothing-before`, `calibration.not-validated` when it has failed a validation since, `calibration.two-persons`,
   *  `calibration.changed`. */
  rollBack(order: ActivationOrder): string {
    this.#demandTwoPersons(order);
    return this.#locked(() => this.#rollBackLocked(order));
  }

  #rollBackLocked(order: ActivationOrder): string {
    const before = this.#activations.at(-2);
    if (before === undefined) throw new InputError('calibration.nothing-before', 'no other calibration was active before');
    const { sha256 } = this.profile(before.profileId);
    const newest = this.validationOf(before.profileId);
    if (newest !== null && newest.number > before.number && newest.validation?.isPassed === false) {
      const detail = `calibration ${before.profileId}, which was active before, has not passed its validation of ${newest.at} since`;
      throw new InputError('calibration.not-validated', `${detail}; activate one that has`);
    }
    this.#makeActive('rolled-back', before.profileId, sha256, order, null);
    return before.profileId;
  }

  /** Calibrations that were active, the present one last; what was rolled back is gone from it. */
  get #activations(): readonly HistoryEntry[] {
    const stack: HistoryEntry[] = [];
    for (const entry of this.history) {
      if (entry.action === 'activated' && stack.at(-1)?.profileId !== entry.profileId) stack.push(entry);
      if (entry.action === 'rolled-back') stack.pop();
    }
    return stack;
  }

  /** History first: a power cut before the file is replaced shows in `active` and is healed by activating again. */
  #makeActive(
    action: 'activated' | 'rolled-back',
    profileId: string,
    profileSha256: string,
    { technician, supervisor, why, at }: ActivationOrder,
    withoutValidation: string | null,
  ): void {
    const bytes = readFileSync(this.pathOf(profileId));
    this.#append({ at, action, profileId, profileSha256, by: technician, second: supervisor, why, withoutValidation });
    writeWholeFile(this.#activeFile, bytes);
  }

  /** What is signed and filed must be what the history says. @throws InputError `calibration.changed`. */
  #demandUntouched({ validation }: HistoryEntry): void {
    if (validation === null) return;
    const { report, sha256, reportSha256 } = validation;
    const kept: readonly (readonly [string, string | undefined])[] = [
      [report, reportSha256],
      [report.replace(/\.html$/, '.validation.json'), sha256],
    ];
    for (const [name, hash] of kept) {
      const path = join(this.#folder, name);
      if (hash !== undefined && (!existsSync(path) || fileSha256(readFileSync(path)) !== hash))
        throw new InputError(
          'calibration.changed',
          `${path} is missing or not the file that was kept when it was validated; validate again`,
        );
    }
  }

  #demandTwoPersons({ technician, supervisor }: ActivationOrder): void {
    const names = [technician, supervisor].map((name) => name.trim().toLowerCase());
    if (names.includes('') || names[0] === names[1])
      throw new InputError('calibration.two-persons', 'a technician and a supervisor, two different persons, must be named');
  }

  /** @throws InputError `calibration.locked` when another process holds the archive for longer than 5 s. */
  #locked<T>(act: () => T): T {
    makeFolder(this.#folder);
    const lock = lockFile(join(this.#folder, 'history.lock'), lockWaitMs);
    try {
      return act();
    } finally {
      lock.release();
    }
  }

  #append(
    act: Pick<HistoryEntry, 'at' | 'action' | 'profileId' | 'profileSha256' | 'by' | 'why'> &
      Partial<Pick<HistoryEntry, 'second' | 'validation' | 'withoutValidation'>>,
  ): void {
    appendHistory(this.#historyFile, { second: null, validation: null, withoutValidation: null, ...act });
  }

  get #historyFile(): string {
    return join(this.#folder, 'history.jsonl');
  }
}
