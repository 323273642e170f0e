import { z } from 'zod';
import type { PlaySettings } from '../core/round/settings.ts';

/** A whole number from `min` to `max` with its unit and one line for a technician. */
export function wholeNumber(min: number, max: number, unit: string, description: string) {
  return z.int().min(min).max(max).meta({ unit, description });
}

/** What stands when neither the house nor the table's file says otherwise. Sources: rules R4 and R5 (tumbles), design (50 rounds an hour,
 *  5 s of review); the other times are what the reference shaker and camera need with room to spare. */
export const defaultPlay: PlaySettings = {
  orderOfPlay: 'bets-first',
  unreadableThrow: 'reshake',
  tumblesMin: 3,
  shakeActivations: 1,
  reshakeActivations: 1,
  shakesMax: 5,
  readAttemptsMax: 3,
  bettingMs: 30_000,
  noMoreBetsMs: 2_000,
  shakeMsMax: 60_000,
  settleMs: 1_000,
  settleMsMax: 5_000,
  readMsMax: 5_000,
  reviewMs: 5_000,
  nextRoundMs: 3_000,
  isUnattended: true,
  roundsPerHourMax: 50,
};

/** The `[play]` section of a house file and of `table.toml`: the same keys, each of which may be left out. */
export const playSchema = z.strictObject({
  orderOfPlay: z
    .enum(['bets-first', 'shake-first'])
    .meta({ description: 'Bets, then the shake; or the shake under a cover, then bets, then the uncovering' })
    .exactOptional(),
  unreadableThrow: z
    .enum(['reshake', 'void'])
    .meta({ description: 'What an unreadable throw does: shake again with wagers standing, or void the round with refund' })
    .exactOptional(),
  tumblesMin: wholeNumber(
    1,
    9,
    'tumbles',
    'Tumbles that the last activation of a shake must show, or the table shakes again',
  ).exactOptional(),
  shakeActivations: wholeNumber(1, 5, 'activations', 'Runs of the motor in the first shake of a round').exactOptional(),
  reshakeActivations: wholeNumber(1, 5, 'activations', 'Runs of the motor when the table shakes again').exactOptional(),
  shakesMax: wholeNumber(1, 20, 'shakes', 'Shakes in one round before the table holds and calls').exactOptional(),
  readAttemptsMax: wholeNumber(
    1,
    10,
    'readings',
    'Times the dice at rest are read again before the table holds and calls',
  ).exactOptional(),
  bettingMs: wholeNumber(100, 600_000, 'ms', 'Betting countdown').exactOptional(),
  noMoreBetsMs: wholeNumber(0, 30_000, 'ms', 'Pause between "no more bets" and the shake').exactOptional(),
  shakeMsMax: wholeNumber(1_000, 120_000, 'ms', 'Time a shake may take from the order to its end').exactOptional(),
  settleMs: wholeNumber(200, 5_000, 'ms', 'How long nothing may move before the dice count as at rest').exactOptional(),
  settleMsMax: wholeNumber(500, 60_000, 'ms', 'Time the dice may take to come to rest').exactOptional(),
  readMsMax: wholeNumber(200, 20_000, 'ms', 'Time one reading of the dice may take').exactOptional(),
  reviewMs: wholeNumber(0, 60_000, 'ms', 'Time in which the dealer may dispute a declared result').exactOptional(),
  nextRoundMs: wholeNumber(0, 600_000, 'ms', 'Pause after a round before the next opens by itself').exactOptional(),
  isUnattended: z.boolean().meta({ description: 'Rounds open and dice are shaken without a dealer' }).exactOptional(),
  roundsPerHourMax: wholeNumber(0, 3_600, 'rounds', 'Most rounds an hour in unattended play; 0 means no cap').exactOptional(),
});
