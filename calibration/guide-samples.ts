import { join } from 'node:path';
import { readJpeg } from '../src/vision/read-picture.ts';
import type { Rig } from '../src/vision/rig.ts';
import type { GuideParts } from './guide-parts.ts';
import { facesOf, type SessionRow } from './session.ts';

/** A sample of the fit that the fitted calibration does not read as its label says. */
interface DoubtfulSample {
  readonly row: SessionRow;
  /** From 1, in the order of the throws. */
  readonly throwNumber: number;
  readonly seen: string;
}

/** Samples whose label, or whose picture, deserves a second look. Refused for glare does not: the label may well be right.
 *  @param rig the calibration that was fitted from them. */
export function doubtfulSamples({ session }: Pick<GuideParts, 'session'>, rig: Rig): readonly DoubtfulSample[] {
  return session.rows('calib').flatMap((row, index) => {
    const { verdict, values, cause } = readJpeg(rig, session.jpegOf(row)).reading;
    const label = [...facesOf(row)].sort((a, b) => a - b);
    if (cause === 'glare' || (verdict === 'accepted' && values.join() === label.join())) return [];
    const seen = verdict === 'accepted' ? `read ${values.join(' ')}` : `not read (${cause})`;
    return [{ row, throwNumber: index + 1, seen }];
  });
}

/** Shows samples that deserve a second look, and takes out those that the technician names.
 *  @param doubts null where there is no calibration to doubt them by: then all are shown. @returns how many were taken out. */
export async function samplesStep(parts: GuideParts, doubts: readonly DoubtfulSample[] | null): Promise<number> {
  const { front, session } = parts;
  const rows = session.rows('calib');
  const shown = doubts ?? rows.map((row, index) => ({ row, throwNumber: index + 1, seen: null }));
  if (shown.length === 0) return 0;
  front.say(doubts === null ? 'The throws so far:' : `${shown.length} throw(s) are not read as you said they lie:`);
  for (const { row, throwNumber, seen } of shown) {
    const said = facesOf(row).join(' ');
    front.say(`  throw ${throwNumber}: kept as ${said}${seen === null ? '' : `, ${seen}`}   ${join(session.folder, row.file)}`);
  }
  const text = 'Look at these pictures. Type the numbers of throws that are wrong or poor, to take them out; ENTER keeps all';
  for (;;) {
    const answer = (await front.ask('samples', text)).trim();
    const numbers = answer.split(/[\s,;]+/).filter((word) => word !== '');
    const named = numbers.map((word) => (/^\d+$/.test(word) ? rows[Number(word) - 1] : undefined));
    const known = named.filter((row) => row !== undefined);
    if (known.length === numbers.length) {
      if (known.length > 0) session.remove(known);
      return known.length;
    }
    front.say(`Numbers from 1 to ${rows.length} are needed, like 2 or 2 5.`);
  }
}
