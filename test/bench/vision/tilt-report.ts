import { leanSetDegrees } from '../../../hardware-sim/make-lean-set.ts';
import { textTable } from '../../../src/cli/text-table.ts';
import type { PictureOutcome } from './picture-outcome.ts';

/** From this lean on every throw must be refused, degrees (rule of the product). */
const refusedFromDeg = 8;

/** Refused share by lean and by what holds the die. A throw that no glare touches only: glare is refused for itself. */
export function tiltLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const clear = pictures.filter(({ picture }) => !picture.hasGlare);
  const supports = [...new Set(clear.map(({ picture }) => picture.detail ?? ''))].sort();
  const rows = leanSetDegrees.map((deg) => {
    const group = clear.filter(({ picture }) => leanOf(picture.tiltDegMax) === deg);
    const bySupport = supports.map((support) => refusedCell(group.filter(({ picture }) => picture.detail === support)));
    const tilted = group.filter(({ cause }) => cause === 'tilted').length;
    const otherValues = group.filter(({ values, picture }) => values !== null && values.join() !== picture.values.join()).length;
    return [`${deg}°`, refusedCell(group), percent(group), ...bySupport, String(tilted), String(otherValues)];
  });
  return [
    'Refused of all, by lean of one die and what holds it; the rest was accepted',
    ...textTable(['lean', 'refused', 'share', ...supports, 'as tilted', 'other values'], rows),
    '',
    'The same by rig: a rig that refuses at 0° was calibrated badly or is hard to see, and would pass for a good judge of leans',
    ...textTable(['rig', ...leanSetDegrees.map((deg) => `${deg}°`)], rigRows(clear)),
    '',
    `Pictures without glare on a die: ${clear.length} of ${pictures.length}. Accepted at ${refusedFromDeg}° or more: ${leaningAccepted(pictures).length}`,
  ];
}

function rigRows(pictures: readonly PictureOutcome[]): readonly (readonly string[])[] {
  const rigs = [...new Set(pictures.map(({ rig }) => rig))];
  return rigs.map((rig) => [
    rig,
    ...leanSetDegrees.map((deg) =>
      refusedCell(pictures.filter((each) => each.rig === rig && leanOf(each.picture.tiltDegMax) === deg)),
    ),
  ]);
}

/** Throws that were accepted although a die leans by 8° or more. */
export function leaningAccepted(pictures: readonly PictureOutcome[]): readonly PictureOutcome[] {
  return pictures.filter(({ picture, values }) => values !== null && leanOf(picture.tiltDegMax) >= refusedFromDeg);
}

/** The set's own leans are whole degrees; labels carry rounding. */
function leanOf(tiltDeg: number): number {
  return Math.round(tiltDeg);
}

function refusedCell(group: readonly PictureOutcome[]): string {
  return `${group.filter(({ values }) => values === null).length}/${group.length}`;
}

function percent(group: readonly PictureOutcome[]): string {
  return `${((100 * group.filter(({ values }) => values === null).length) / Math.max(1, group.length)).toFixed(1)} %`;
}
