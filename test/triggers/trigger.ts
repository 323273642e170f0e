import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Face } from '../../src/core/rules/dice.ts';
import { type ExplainedReading, readJpeg } from '../../src/vision/read-picture.ts';
import type { TriggerRig } from './trigger-rig.ts';

/** One trigger of a field report (`../failures.md`), as a program. */
export interface Trigger {
  readonly id: string;
  /** Its words: what is done to the dice, the camera or the light. */
  readonly title: string;
  /** Which tables it needs: those of every kind of dice, or those with a camera near the dice. */
  readonly rigs: 'all-dice' | 'near-camera';
  /** How much is done at the full size and in a sample of `npm test`: pictures, or what `unit` says. */
  readonly fullCount: number;
  readonly sampleCount: number;
  readonly unit: string;
  /** Does it, telling `bench` of each picture and each claim. */
  run(bench: TriggerBench): Promise<void>;
}

/** What became of the pictures of one class. */
export interface ClassTally {
  right: number;
  refused: number;
  wrong: number;
  readonly causes: Record<string, number>;
}

/** A picture that was read wrong, with what repeats it. */
export interface WrongPicture {
  readonly rig: string;
  readonly class: string;
  readonly seed: number;
  readonly shown: string;
  readonly read: string;
}

/** Something the report expects beyond "never wrong". */
export interface Claim {
  readonly text: string;
  readonly holds: boolean;
  readonly detail: string;
}

/** Keeps the score of one trigger. */
export class TriggerBench {
  readonly rigs: readonly TriggerRig[];
  readonly count: number;
  readonly classes = new Map<string, ClassTally>();
  readonly byRig = new Map<string, ClassTally>();
  readonly wrong: WrongPicture[] = [];
  readonly claims: Claim[] = [];
  readonly #wrongFolder: string | null;

  /** @param wrongFolder pictures read wrong are written there with the judge's evidence; null keeps none. */
  constructor(rigs: readonly TriggerRig[], count: number, wrongFolder: string | null) {
    this.rigs = rigs;
    this.count = count;
    this.#wrongFolder = wrongFolder;
  }

  /** The rig of the picture with this number: each in turn. */
  rigOf(index: number): TriggerRig {
    const rig = this.rigs[index % this.rigs.length];
    if (rig === undefined) throw new RangeError('a trigger needs at least one rig');
    return rig;
  }

  /** Reads one picture and counts what the reader makes of it.
   *  @param seed repeats the picture within its trigger. @param values that it shows, in any order; null for a throw that must be refused. */
  read(rig: TriggerRig, className: string, seed: number, jpeg: Buffer, values: readonly Face[] | null): ExplainedReading {
    const explained = readJpeg(rig.reader, jpeg);
    const { reading } = explained;
    const outcome = { values: reading.values, cause: reading.cause };
    if (this.tally(rig, className, seed, outcome, values) === 'wrong') this.#keep(rig, className, seed, jpeg, explained);
    return explained;
  }

  /** Counts an outcome that was reached in another way than by one picture. @returns how it counts. */
  tally(
    rig: TriggerRig,
    className: string,
    seed: number,
    outcome: { readonly values: readonly number[] | null; readonly cause: string | null },
    values: readonly Face[] | null,
  ): 'right' | 'refused' | 'wrong' {
    const shown = values === null ? 'nothing to be read' : [...values].sort((a, b) => a - b).join();
    const verdict = outcome.values === null ? 'refused' : outcome.values.join() === shown ? 'right' : 'wrong';
    for (const tally of [tallyOf(this.classes, className), tallyOf(this.byRig, rig.name)]) {
      tally[verdict] += 1;
      if (verdict === 'refused') tally.causes[outcome.cause ?? 'none'] = (tally.causes[outcome.cause ?? 'none'] ?? 0) + 1;
    }
    if (verdict === 'wrong') this.wrong.push({ rig: rig.name, class: className, seed, shown, read: `${outcome.values}` });
    return verdict;
  }

  claim(text: string, holds: boolean, detail: string): void {
    this.claims.push({ text, holds, detail });
  }

  #keep(rig: TriggerRig, className: string, seed: number, jpeg: Buffer, explained: ExplainedReading): void {
    if (this.#wrongFolder === null) return;
    mkdirSync(this.#wrongFolder, { recursive: true });
    const hash = createHash('sha256').update(jpeg).digest('hex').slice(0, 6);
    const name = join(this.#wrongFolder, `${rig.name}-${className.replace(/[^a-z0-9]+/gi, '-')}-${seed}-${hash}`);
    writeFileSync(`${name}.jpg`, jpeg);
    writeFileSync(`${name}.json`, JSON.stringify({ reading: explained.reading, evidence: explained.evidence }, null, 1));
  }
}

function tallyOf(tallies: Map<string, ClassTally>, name: string): ClassTally {
  const tally = tallies.get(name) ?? { right: 0, refused: 0, wrong: 0, causes: {} };
  tallies.set(name, tally);
  return tally;
}

/** True when nothing was read wrong and every claim holds. */
export function isPassed({ wrong, claims }: TriggerBench): boolean {
  return wrong.length === 0 && claims.every(({ holds }) => holds);
}

/** The score as lines of text. */
export function reportLines(trigger: Trigger, bench: TriggerBench): readonly string[] {
  const width = Math.max(12, ...[...bench.classes.keys(), ...bench.byRig.keys()].map((name) => name.length));
  const line = ([name, tally]: readonly [string, ClassTally]): string => {
    const causes = Object.entries(tally.causes).sort((a, b) => b[1] - a[1]);
    const counts = [tally.right, tally.refused, tally.wrong].map((count) => String(count).padStart(7)).join(' ');
    return `${name.padEnd(width)} ${counts}  ${causes.map(([cause, count]) => `${cause} ${count}`).join(', ')}`.trimEnd();
  };
  const total = [...bench.classes.values()].reduce((sum, { right, refused, wrong }) => sum + right + refused + wrong, 0);
  return [
    `${trigger.id} ${trigger.title}: ${total} readings on ${bench.rigs.length} rigs, ${isPassed(bench) ? 'passed' : 'FAILED'}`,
    `${''.padEnd(width)}   right refused   WRONG`,
    ...[...bench.classes].map(line),
    ...[...bench.byRig].map(line),
    ...bench.claims.map(({ text, holds, detail }) => `${holds ? 'holds' : 'DOES NOT HOLD'}: ${text} (${detail})`),
    ...bench.wrong.map(
      (wrong) => `WRONG: ${wrong.rig}, ${wrong.class}, seed ${wrong.seed}: shows ${wrong.shown}, read ${wrong.read}`,
    ),
  ];
}
