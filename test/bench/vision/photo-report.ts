import { textTable } from '../../../src/cli/text-table.ts';
import { percentile } from '../percentile.ts';
import type { PhotoOutcome } from './measure-photos.ts';

/** Photographs by source and by how many dice they show; every wrong one by name, because a label may be wrong too. */
export function photoLines(photos: readonly PhotoOutcome[]): readonly string[] {
  const sources = [...new Set(photos.map(({ source }) => source))].sort();
  const rows = sources.flatMap((source) => {
    const counts = [...new Set(photos.filter((photo) => photo.source === source).map(({ diceCount }) => diceCount))].sort();
    return counts.map((count) =>
      row(
        [source, `${count} dice`],
        photos.filter((photo) => photo.source === source && photo.diceCount === count),
      ),
    );
  });
  const wrong = photos.filter(({ outcome }) => outcome === 'wrong');
  return [
    'Photographs without calibration, by source (only three dice may be read)',
    ...textTable(
      ['source', 'dice', 'right', 'refused', 'wrong', 'ms median', 'p99'],
      [
        ...rows,
        row(
          ['all with tag close3', ''],
          photos.filter(({ isClose }) => isClose),
        ),
        row(['all', ''], photos),
      ],
    ),
    ...wrong.map(({ file, values, labelled }) => `  wrong: ${file} read as ${values?.join(' ')}, labelled ${labelled.join(' ')}`),
  ];
}

function row(key: readonly string[], photos: readonly PhotoOutcome[]): readonly string[] {
  const count = (wanted: string): string => String(photos.filter(({ outcome }) => outcome === wanted).length);
  const times = photos.map(({ ms }) => ms);
  return [
    ...key,
    count('right'),
    count('refused'),
    count('wrong'),
    percentile(times, 0.5).toFixed(0),
    percentile(times, 0.99).toFixed(0),
  ];
}
