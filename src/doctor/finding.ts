/** `ok`: as it must be. `warning`: the table can play, somebody should look. `problem`: the table cannot play as configured. */
export type Verdict = 'ok' | 'warning' | 'problem';

/** What one check found. `detail` names value and limit; `advice` says what to do, null where nothing is to do. */
export interface Finding {
  /** What was looked at, in a word or two: "shaker", "camera size". */
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly advice: string | null;
}

/** A finding that is as it must be. @param advice where something could be made better still. */
export function ok(check: string, detail: string, advice: string | null = null): Finding {
  return { check, verdict: 'ok', detail, advice };
}

/** A finding with which the table can play. */
export function warning(check: string, detail: string, advice: string): Finding {
  return { check, verdict: 'warning', detail, advice };
}

/** A finding with which the table cannot play as configured. */
export function problem(check: string, detail: string, advice: string): Finding {
  return { check, verdict: 'problem', detail, advice };
}
