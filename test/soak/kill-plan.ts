import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import type { PublicEvent } from '../../src/api/public-event.ts';

/** When the daemon is killed. */
export type KillPlan =
  /** So long after its process was started: into its recovery. */
  | { readonly kind: 'while starting'; readonly afterMs: number }
  /** So long after the table was ready. */
  | { readonly kind: 'at any moment'; readonly afterMs: number }
  /** So long after a listener heard this record: between its outputs, or into the answer of a device. */
  | {
      readonly kind: 'after a record';
      readonly record: PublicEvent['kind'];
      readonly afterMs: number;
      /** Longest wait for the record, ms; then the kill comes anyway. */
      readonly waitMsMax: number;
    };

/** The records that must never be lost; worth to be waited for on a machine on which a round takes long. */
const resultRecords: readonly PublicEvent['kind'][] = ['resultDeclared', 'roundSettled'];
const resultWaitMsMax = 20_000;
/** Others come in every round of about 4.5 s, or not at all. */
const recordWaitMsMax = 6_000;

/** Records after which it is most telling to lose everything that is not on disk. */
const tellingRecords: readonly PublicEvent['kind'][] = [
  'roundOpened',
  'bettingClosed',
  'shakeOrdered',
  'shakeFinished',
  'restWatchOrdered',
  'diceRested',
  'readOrdered',
  ...resultRecords,
  ...resultRecords,
  ...resultRecords,
  'roundVoided',
  'roundHeld',
  'roundResumed',
];

/** A start is caught within this time, ms, or within the time that the last one took, whichever is longer. */
const startMsMin = 500;

/** The next kill. @param startMs what a start takes here. @param roundMs what a round takes. */
export function nextKill(random: SeededRandom, startMs: number, roundMs: number): KillPlan {
  const lot = random.next();
  // Loading the program takes most of a start; the recovery itself is its last part.
  if (lot < 0.1) return { kind: 'while starting', afterMs: random.between(0, Math.max(startMsMin, startMs)) };
  if (lot < 0.25) return { kind: 'while starting', afterMs: random.between(0.7, 1.1) * Math.max(startMsMin, startMs) };
  if (lot < 0.65) {
    const record = random.pick(tellingRecords);
    const waitMsMax = resultRecords.includes(record) ? resultWaitMsMax : recordWaitMsMax;
    return { kind: 'after a record', record, afterMs: random.next() ** 2 * 60, waitMsMax };
  }
  return { kind: 'at any moment', afterMs: random.between(0, 2 * roundMs) };
}
