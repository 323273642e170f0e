import type { Dice } from '../rules/dice.ts';
import type { EvidencePicture, PictureReading, RefusalCause, ThrowReading } from './reading.ts';
import { areSamePlaces } from './rest-watch.ts';

/** Pictures that must agree before a throw is accepted: a single odd picture never decides. */
export const agreeingPicturesMin = 3;

/** Pictures looked at before a throw is given up. */
export const picturesPerReadingMax = 6;

/** Whether the pictures so far decide the throw: enough agree, two contradict each other, or too many were refused for the rest to help. */
export function isDecided(readings: readonly PictureReading[]): boolean {
  const accepted = readings.filter((reading) => reading.verdict === 'accepted');
  const leftCount = picturesPerReadingMax - readings.length;
  return accepted.length >= agreeingPicturesMin || isContradicted(accepted) || accepted.length + leftCount < agreeingPicturesMin;
}

/** Judges a throw over several fresh pictures. Accepted only when at least `agreeingPicturesMin` pictures give the same three values at the same
 *  places and no picture gives others.
 *  @param evidence the pictures that are kept for the record. */
export function judgeThrow(
  readings: readonly PictureReading[],
  evidence: readonly EvidencePicture[],
  calibrationId: string,
): ThrowReading {
  const accepted = readings.filter((reading) => reading.verdict === 'accepted');
  const base = { pictureCount: readings.length, evidence, calibrationId };
  const first = accepted[0];
  if (first !== undefined && accepted.length >= agreeingPicturesMin && !isContradicted(accepted)) {
    const values: Dice = first.values;
    return { ...base, verdict: 'accepted', values, cause: null, dice: first.dice, agreeingCount: accepted.length };
  }
  const cause = isContradicted(accepted) ? 'readers-disagree' : commonestCause(readings);
  const agreeing = readings.filter((reading) => reading.cause === cause);
  return {
    ...base,
    verdict: 'refused',
    values: null,
    cause,
    dice: (agreeing[0] ?? readings[0])?.dice ?? [],
    agreeingCount: agreeing.length,
  };
}

function isContradicted(accepted: readonly PictureReading[]): boolean {
  const [first, ...others] = accepted;
  if (first === undefined) return false;
  return others.some((other) => String(other.values) !== String(first.values) || !areSamePlaces(first.dice, other.dice));
}

function commonestCause(readings: readonly PictureReading[]): RefusalCause {
  const counts = new Map<RefusalCause, number>();
  for (const { cause } of readings) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const [commonest] = [...counts].sort((a, b) => b[1] - a[1]);
  // Pictures that were accepted, but too few of them: nothing is wrong with the dice, there were not enough good pictures.
  return commonest?.[0] ?? 'bad-frame';
}
