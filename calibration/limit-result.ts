/** One stated limit and what was measured against it. */
export interface LimitResult {
  /** Stable name, for files and tests. */
  readonly id: string;
  /** What is limited, for people. */
  readonly title: string;
  /** What was measured and what is allowed, each with its unit. */
  readonly measured: string;
  readonly limit: string;
  /** What could not be measured has not passed. */
  readonly verdict: 'passed' | 'failed' | 'not-measured';
  /** What to do when it did not pass. */
  readonly advice: string;
}

/** Judges one figure. @param isGood null when it could not be measured. */
export function limitResult(
  id: string,
  title: string,
  measured: string,
  limit: string,
  isGood: boolean | null,
  advice: string,
): LimitResult {
  return { id, title, measured, limit, verdict: isGood === null ? 'not-measured' : isGood ? 'passed' : 'failed', advice };
}

/** A share as per cent. @param digits after the point. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}
