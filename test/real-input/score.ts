import type { JudgedThrow, Verdict } from './play-rig.ts';

export type Tally = Readonly<Record<Verdict, number>>;

/** What a run of labelled throws adds up to. */
export interface Score {
  /** Per rig and class, in the order of the names. */
  readonly table: readonly ({ readonly rig: string; readonly className: string } & Tally)[];
  readonly daemon: Tally;
  readonly plain: Tally;
  /** Valid throws that no glare touches: played, declared rightly, and of those at the first shake. */
  readonly cleanValid: { readonly count: number; readonly right: number; readonly rightAtFirstShake: number };
  /** Invalid throws played, and how many of them were declared as anything. */
  readonly invalid: { readonly count: number; readonly declared: number };
  /** Why throws were refused, by what the table said of the last shake; the commonest first. Valid and invalid throws apart. */
  readonly refusalCauses: {
    readonly valid: readonly (readonly [string, number])[];
    readonly invalid: readonly (readonly [string, number])[];
  };
  /** From the firmware's word that the dice rest to the result on the feed, less the settle window, ms. */
  readonly resultMs: { readonly p50: number; readonly p99: number } | null;
  /** Throws on which the daemon and `sicbo read` do not give the same verdict. */
  readonly differences: readonly JudgedThrow[];
}

/** Adds up judged throws. Pure. @param settleMs settle window of the table that played them. */
export function scoreOf(throws: readonly JudgedThrow[], settleMs: number): Score {
  const keys = [...new Set(throws.map(({ rig, className }) => `${rig}\n${className}`))].sort();
  const clean = throws.filter(({ isValid, hasGlare }) => isValid && !hasGlare);
  const invalid = throws.filter(({ isValid }) => !isValid);
  const refused = throws.filter(({ verdict }) => verdict === 'refused');
  const times = throws.map(({ resultMs }) => resultMs).filter((ms) => ms !== null);
  times.sort((a, b) => a - b);
  return {
    table: keys.map((key) => {
      const [rig = '', className = ''] = key.split('\n');
      const rows = throws.filter((one) => one.rig === rig && one.className === className);
      return { rig, className, ...tallyOf(rows.map(({ verdict }) => verdict)) };
    }),
    daemon: tallyOf(throws.map(({ verdict }) => verdict)),
    plain: tallyOf(throws.map(({ plainVerdict }) => plainVerdict)),
    cleanValid: {
      count: clean.length,
      right: clean.filter(({ verdict }) => verdict === 'right').length,
      rightAtFirstShake: clean.filter(({ verdict, shakeCount }) => verdict === 'right' && shakeCount === 1).length,
    },
    invalid: { count: invalid.length, declared: invalid.filter(({ declared }) => declared !== null).length },
    refusalCauses: {
      valid: causeCounts(refused.filter(({ isValid }) => isValid)),
      invalid: causeCounts(refused.filter(({ isValid }) => !isValid)),
    },
    resultMs: times.length === 0 ? null : { p50: quantile(times, 0.5) - settleMs, p99: quantile(times, 0.99) - settleMs },
    differences: throws.filter(
      ({ verdict, plainVerdict, declared, plain }) => verdict !== plainVerdict || declared !== plain.values,
    ),
  };
}

function tallyOf(verdicts: readonly Verdict[]): Tally {
  const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  return { right: count('right'), refused: count('refused'), wrong: count('wrong') };
}

function causeCounts(throws: readonly JudgedThrow[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { causes, end } of throws) {
    const cause = causes.at(-1) ?? end;
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** @param sorted ascending, not empty. */
function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}
