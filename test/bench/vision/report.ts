import { textTable } from '../../../src/cli/text-table.ts';
import { percentile } from '../percentile.ts';
import type { RigMeasure } from './measure-rig.ts';
import type { Outcome, PictureOutcome } from './picture-outcome.ts';
import { type ReaderVariant, readerVariants } from './reader-variants.ts';

/** Leans that a calibrated reader should take for flat; up to 8° a throw is valid, but may be refused. */
const flatTiltDegMax = 3;

/** The report as printed: calibrations, rig × class, causes, light, readers, time, totals. */
export function reportLines(measures: readonly RigMeasure[]): readonly string[] {
  const pictures = measures.flatMap((measure) => measure.pictures);
  return [
    ...section('Calibrations', fitLines(measures)),
    ...section('Pictures by rig and class (of invalid classes: refused is right)', classLines(pictures)),
    ...section('Valid throws by light, kind and lean, no glare on them', conditionLines(pictures)),
    ...section('Invalid throws by class', invalidLines(pictures)),
    ...section('Refused valid throws by cause', causeLines(pictures)),
    ...section('Readers alone and together: wrong values of valid throws, and invalid throws taken', variantLines(pictures)),
    ...section('Time a picture, JPEG to reading, ms', timeLines(pictures)),
    ...section('Totals: right / refused / wrong', totalLines(pictures)),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', title, ...lines.map((line) => `  ${line}`)];
}

function fitLines(measures: readonly RigMeasure[]): readonly string[] {
  return textTable(
    ['source', 'rig', 'seconds', 'own samples of three accepted', 'of them wrong', ''],
    measures.map((measure) => [
      measure.source,
      measure.rig,
      (measure.fitMs / 1000).toFixed(1),
      String(measure.samples?.acceptedCount ?? ''),
      String(measure.samples?.wrongCount ?? ''),
      measure.fitProblem === null ? '' : `NOT CALIBRATED: ${measure.fitProblem}`,
    ]),
  );
}

/** What a table groups by; glare is told apart on valid throws only, on others it changes nothing. */
function classLabel({ picture }: PictureOutcome): string {
  return picture.isValid && picture.hasGlare ? `${picture.class}, glare` : picture.class;
}

function classLines(pictures: readonly PictureOutcome[]): readonly string[] {
  return countTable(['rig', 'class'], pictures, (outcome) => [outcome.rig, classLabel(outcome)]);
}

function conditionLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const clear = pictures.filter(isClear);
  return countTable(['source', 'what'], clear, (outcome) => [outcome.source, conditionLabel(outcome)]);
}

function conditionLabel({ picture }: PictureOutcome): string {
  if (picture.tiltDegMax > flatTiltDegMax) return `leans by ${flatTiltDegMax} to 8 degrees`;
  return picture.lighting === 'base' ? picture.class : `${picture.class}, ${picture.lighting}`;
}

function invalidLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const invalid = pictures.filter(({ picture }) => !picture.isValid);
  return countTable(['source', 'class'], invalid, ({ source, picture }) => [
    source,
    picture.detail === null ? picture.class : `${picture.class}: ${picture.detail}`,
  ]);
}

function causeLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const refused = pictures.filter(({ outcome, picture }) => outcome === 'refused' && picture.isValid);
  const rows = grouped(refused, ({ source, cause }) => [source, cause ?? '']).map(([[source = '', cause = ''], group]) => {
    const clear = group.filter(isClear);
    const flat = clear.filter(({ picture }) => picture.tiltDegMax <= flatTiltDegMax);
    return [source, cause, String(group.length), String(clear.length), String(flat.length)];
  });
  return textTable(['source', 'cause', 'all', 'no glare', 'no glare, no lean'], rows);
}

function variantLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const rows = grouped(pictures, ({ source }) => [source]).flatMap(([[source = ''], group]) =>
    readerVariants.map((variant) => [source, variantNames[variant], ...variantCells(group, variant)]),
  );
  return textTable(['source', 'reader', 'valid: right', 'refused', 'wrong', 'invalid: taken', 'of'], rows);
}

const variantNames: Readonly<Record<ReaderVariant, string>> = {
  both: 'both, as the product judges',
  geometric: 'geometric alone, all other checks on',
  appearance: 'appearance alone, checks of lean, overlap and strange things on',
  'geometric-bare': 'geometric alone, no other check',
  'appearance-bare': 'appearance alone, no other check',
};

function variantCells(group: readonly PictureOutcome[], variant: ReaderVariant): readonly string[] {
  const valid = group.filter(({ picture }) => picture.isValid).map(({ byVariant }) => byVariant[variant]);
  const invalid = group.filter(({ picture }) => !picture.isValid).map(({ byVariant }) => byVariant[variant]);
  return [...countCells(valid), String(invalid.filter((outcome) => outcome === 'wrong').length), String(invalid.length)];
}

function timeLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const timed = pictures.filter(({ ms }) => ms > 0);
  const row = (name: string, group: readonly PictureOutcome[]): readonly string[] => {
    const times = group.map(({ ms }) => ms);
    const cpuTimes = group.map(({ cpuMs }) => cpuMs);
    const cells = [times, cpuTimes].flatMap((each) => [percentile(each, 0.5).toFixed(1), percentile(each, 0.99).toFixed(1)]);
    return [name, ...cells, String(times.length)];
  };
  const bySize = grouped(timed, ({ picture }) => [`${picture.widthPx} × ${picture.heightPx}`]);
  const byRig = grouped(timed, ({ rig }) => [rig]);
  return textTable(
    ['', 'median', 'p99', 'CPU median', 'CPU p99', 'pictures'],
    [
      ...byRig.map(([[name = ''], group]) => row(name, group)),
      ...bySize.map(([[name = ''], group]) => row(name, group)),
      row('all', timed),
    ],
  );
}

function totalLines(pictures: readonly PictureOutcome[]): readonly string[] {
  const sources = [...new Set(pictures.map(({ source }) => source))];
  const rows = sources.flatMap((source) => {
    const group = pictures.filter((outcome) => outcome.source === source);
    const valid = group.filter(({ picture }) => picture.isValid);
    const clear = group.filter(isClear);
    const parts: readonly (readonly [string, readonly PictureOutcome[]])[] = [
      ['valid, no glare on it', clear],
      [
        `the same, no die leans by more than ${flatTiltDegMax}°`,
        clear.filter(({ picture }) => picture.tiltDegMax <= flatTiltDegMax),
      ],
      ['valid, glare', valid.filter((outcome) => !isClear(outcome))],
      ['invalid', group.filter(({ picture }) => !picture.isValid)],
    ];
    return parts.map(([what, part]) => {
      const outcomes = part.map(({ outcome }) => outcome);
      const rightShare = outcomes.filter((outcome) => outcome === 'right').length / Math.max(1, outcomes.length);
      return [source, what, ...countCells(outcomes), what === 'invalid' ? '' : `${(100 * rightShare).toFixed(1)} %`];
    });
  });
  return textTable(['source', 'throws', 'right', 'refused', 'wrong', 'share right'], rows);
}

function isClear({ picture }: PictureOutcome): boolean {
  return picture.isValid && !picture.hasGlare;
}

function countTable(
  header: readonly string[],
  pictures: readonly PictureOutcome[],
  keyOf: (outcome: PictureOutcome) => readonly string[],
): readonly string[] {
  const rows = grouped(pictures, keyOf).map(([key, group]) => {
    const times = group.map(({ ms }) => ms);
    const timeCells = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)];
    return [...key, ...countCells(group.map(({ outcome }) => outcome)), ...timeCells];
  });
  return textTable([...header, 'right', 'refused', 'wrong', 'ms median', 'ms p99'], rows);
}

function countCells(outcomes: readonly Outcome[]): readonly string[] {
  return (['right', 'refused', 'wrong'] as const).map((wanted) =>
    String(outcomes.filter((outcome) => outcome === wanted).length),
  );
}

/** Groups in order of their keys' text. */
function grouped(
  pictures: readonly PictureOutcome[],
  keyOf: (outcome: PictureOutcome) => readonly string[],
): readonly (readonly [readonly string[], readonly PictureOutcome[]])[] {
  const groups = new Map<string, [readonly string[], PictureOutcome[]]>();
  for (const outcome of pictures) {
    const key = keyOf(outcome);
    const name = key.join('|');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [key, [outcome]]);
    else group[1].push(outcome);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([, group]) => group);
}
