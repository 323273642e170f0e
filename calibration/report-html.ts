import { openRig } from '../src/vision/rig.ts';
import { type LimitResult, percent } from './limit-result.ts';
import { glarePicture, throwPicture } from './report-pictures.ts';
import { reportStyle } from './report-style.ts';
import type { Outcome, Validation } from './validate.ts';

/** Who stands behind a report. Names are printed under the lines on which they sign. */
export interface ReportPeople {
  /** Name of the table; null when the report is not about a configured table. */
  readonly table: string | null;
  readonly technician: string | null;
  readonly supervisor: string | null;
}

/** Side of a throw's picture, px. */
const pictureSidePx = 300;
/** Most pictures of throws that went well; all others are shown. A report of 300 throws stays below 5 MB. */
const goodPicturesMax = 60;

/** Text of a report: one HTML page that needs nothing else, pictures included; for the screen and for A4. */
export function reportHtml(validation: Validation, emptyJpeg: Buffer, people: ReportPeople, softwareVersion: string): string {
  const { profile, isPassed } = validation;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calibration ${escaped(profile.id)}</title><style>${reportStyle}${pageFooter(validation)}</style></head><body><main>
<div class="head"><div><h1>Dice recognition: validation of a calibration</h1>
<p class="soft">${people.table === null ? '' : `Table ${escaped(people.table)} · `}${escaped(profile.id)} · ${dateText(validation.validatedAt)}</p></div>
<div class="verdict ${isPassed ? 'passed' : 'failed'}">${isPassed ? 'PASSED' : 'NOT PASSED'}</div></div>
${figures(validation)}
${identity(validation, people, softwareVersion)}
<h2>1 Stated limits</h2>${limitsTable(validation.limits)}
<h2>2 Values read</h2>${confusion(validation)}
<h2>3 Refusals by cause</h2>${refusals(validation)}
<h2>4 Margins</h2>${margins(validation)}
<h2>5 Camera and lamps</h2>${camera(validation, emptyJpeg)}
<h2>6 Throws</h2>${throwsOf(validation)}
<div class="keep"><h2>7 Signatures</h2>${signatures(validation, people)}</div>
</main></body></html>
`;
}

/** Names calibration and report on every printed page: pages of several reports lie in one file. */
function pageFooter({ profile, profileSha256, validatedAt, isPassed }: Validation): string {
  const left = `${profile.id}, SHA-256 ${profileSha256.slice(0, 16)}…, validated ${dateText(validatedAt)}: ${isPassed ? 'PASSED' : 'NOT PASSED'}`;
  // An id is a word of letters, digits, dots and dashes in every calibration that was fitted; nothing else may get into the style.
  const safe = left.replace(/[^\w .,:…-]/g, '');
  return `@page { @bottom-left { content: "${safe}"; } @bottom-right { content: "page " counter(page) " of " counter(pages); } }`;
}

function figures({ counts, validCount, timeMs }: Validation): string {
  const invalidCount = counts['not-taken'] + counts['falsely-taken'];
  const cells: readonly (readonly [string, string])[] = [
    ['different valid throws', `${validCount}`],
    ['read right', `${counts.right}`],
    ['refused', `${counts.refused}`],
    ['read wrong', `${counts.wrong}`],
    ['invalid, taken', invalidCount === 0 ? 'none shown' : `${counts['falsely-taken']} of ${invalidCount}`],
    ['ms a picture, median', timeMs.median.toFixed(1)],
  ];
  return `<div class="figures">${cells.map(([name, value]) => `<div><b>${value}</b><span class="soft">${name}</span></div>`).join('')}</div>`;
}

function identity(validation: Validation, { table, technician }: ReportPeople, softwareVersion: string): string {
  const { profile, profileSha256, validatedAt, throws, validCount } = validation;
  const { measured } = profile;
  const invalidCount = throws.filter(({ labelled }) => labelled.truth === null).length;
  const rows: readonly (readonly [string, string])[] = [
    ...(table === null ? [] : [['Table', table] as const]),
    [
      'Validation',
      `${dateText(validatedAt)}${technician === null ? '' : ` by ${technician}`}: ${validCount} different valid throws and ${invalidCount} scenes that must not be taken`,
    ],
    ['Calibration', `${profile.id}, made ${dateText(profile.createdAt)} by ${profile.createdBy}`],
    ['Reason', profile.why],
    ['SHA-256 of its file', profileSha256],
    ['Picture', `${profile.resolution.join(' × ')} px, SHA-256 of the empty tray ${profile.emptyPicture.sha256}`],
    [
      'Dice',
      `${profile.dieEdgeMm} mm, ${profile.geometry.edgePx.toFixed(1)} px; tray radius ${profile.tray.radiusPx.toFixed(0)} px`,
    ],
    [
      'Fit',
      `${measured.dieCount} dice in ${measured.pictureCount} pictures; own samples: ${measured.acceptedCount} accepted, ${measured.wrongCount} of them wrong`,
    ],
    ['Software', `sicbo-table ${softwareVersion}`],
  ];
  return `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
}

const verdictTexts: Readonly<Record<LimitResult['verdict'], string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  'not-measured': '– not measured',
};

function limitsTable(limits: readonly LimitResult[]): string {
  const rows = limits.map(({ title, measured, limit, verdict, advice }) => {
    const help = verdict !== 'passed' ? `<span class="advice">→ ${escaped(advice)}</span>` : '';
    return `<tr class="${verdict}"><td>${escaped(title)}${help}</td><td data-name="measured">${escaped(measured)}</td><td data-name="limit">${escaped(limit)}</td><td class="mark">${verdictTexts[verdict]}</td></tr>`;
  });
  return table(['What is limited', 'Measured', 'Limit', 'Verdict'], rows, [], 'stack');
}

function confusion({ faces }: Validation): string {
  const header = `<tr><th>lies ↓ read →</th>${[1, 2, 3, 4, 5, 6].map((value) => `<th>${value}</th>`).join('')}<th>refused</th></tr>`;
  const rows = faces.confusion.map((row, face) => {
    const cells = row.map((count, column) => {
      const kind = count === 0 ? 'zero' : column === face ? 'hit' : column < 6 ? 'miss' : '';
      return `<td class="${kind}">${count}</td>`;
    });
    return `<tr><th>${face + 1}</th>${cells.join('')}</tr>`;
  });
  const readers = (['geometric', 'appearance'] as const).map((name) => {
    const { right, none, wrong } = faces[name];
    return `<tr><td>${name} reader</td><td class="n">${right}</td><td class="n">${none}</td><td class="n">${wrong}</td></tr>`;
  });
  const both = faces.confusion.map((row, face) => [row[face] ?? 0, row.slice(0, 6).reduce((sum, n) => sum + n, 0)] as const);
  const right = both.reduce((sum, [hit]) => sum + hit, 0);
  const wrong = both.reduce((sum, [hit, read]) => sum + read - hit, 0);
  readers.push(
    `<tr><td><b>both, as accepted</b></td><td class="n">${right}</td><td class="n">${faces.confusion.reduce((sum, row) => sum + (row[6] ?? 0), 0)}</td><td class="n">${wrong}</td></tr>`,
  );
  return `<div class="pair"><div class="wide"><table class="matrix"><thead>${header}</thead><tbody>${rows.join('')}</tbody></table>
<p class="soft">Dice of valid throws, by the value that lies there and the value accepted; "refused" counts the dice of refused throws.</p></div>
<div>${table(['Dice by', 'right', 'no value', 'another value'], readers, [1, 2, 3])}
<p class="soft">Each reader by itself over all throws in which three dice were found. A value counts only when both agree.</p></div></div>`;
}

function refusals({ refusals: causes }: Validation): string {
  if (causes.length === 0) return '<p>No throw was refused.</p>';
  const rows = causes.map(
    ({ cause, valid, invalid }) => `<tr><td>${cause}</td><td class="n">${valid}</td><td class="n">${invalid}</td></tr>`,
  );
  return table(['Cause', 'valid throws', 'throws that must not be taken'], rows, [1, 2]);
}

function margins({ margins: features }: Validation): string {
  const rows = features.map((feature) => {
    const place = (margin: number): string => `${(100 * Math.max(0, Math.min(1, margin))).toFixed(0)}%`;
    const bar = `<div class="bar"><i style="width:${place(feature.medianMargin)}"></i><s style="left:${place(feature.worstMargin)}"></s></div>`;
    const names = ['limit', 'typical', 'worst', 'margin, typical', 'margin, worst'];
    const texts = [
      ...[feature.limit, feature.median, feature.worst].map(short),
      ...[feature.medianMargin, feature.worstMargin].map((margin) => percent(Math.min(1, margin), 0)),
    ];
    const cells = texts.map((text, column) => `<td class="n" data-name="${names[column]}">${text}</td>`);
    return `<tr><td>${escaped(feature.name)}</td>${cells.join('')}<td>${bar}</td></tr>`;
  });
  const header = ['Judged quantity', 'limit', 'typical', 'worst', 'margin, typical', 'margin, worst', 'limit → perfect'];
  return `${table(header, rows, [1, 2, 3, 4, 5], 'stack')}
<p class="soft">Dice of valid throws, refused ones included. A margin is the part of the way from the limit (0 %) to a perfect die (100 % and more); a negative one lies beyond the limit and refuses the throw. Bar: the typical die; line: the worst.</p>`;
}

function camera({ camera: measures }: Validation, emptyJpeg: Buffer): string {
  const picture = glarePicture(emptyJpeg, measures);
  const glare = measures.glare === null ? 'no tray found' : `${percent(measures.glare.floorShare, 2)} of the floor under glare`;
  const image =
    picture === null
      ? '<p>The picture of the empty tray cannot be decoded.</p>'
      : `<figure class="camera"><img alt="Empty tray with glare marked" src="${dataUri(picture)}"><figcaption>The empty tray: circle of the floor in blue, glare in magenta (${glare}).</figcaption></figure>`;
  return `<p>${measures.pictureCount} picture(s) of the empty tray. What was measured of camera and lamps stands in section 1.</p>${image}`;
}

const outcomeTexts: Readonly<Record<Outcome, string>> = {
  right: 'right',
  refused: 'refused',
  wrong: 'WRONG',
  'not-taken': 'rightly not taken',
  'falsely-taken': 'WRONGLY TAKEN',
};

function throwsOf({ throws, profile }: Validation): string {
  const rig = openRig(profile);
  try {
    let goodCount = 0;
    const shown = throws.flatMap(({ labelled, explained, outcome }) => {
      const isGood = outcome === 'right' || outcome === 'not-taken';
      if (isGood) goodCount += 1;
      if (isGood && goodCount > goodPicturesMax) return [];
      const picture = throwPicture(rig, labelled.jpeg, explained, pictureSidePx);
      const image = picture === null ? '' : `<img alt="${escaped(labelled.file)}" src="${dataUri(picture)}">`;
      const truth = labelled.truth === null ? `not to be taken (${labelled.className})` : `lies ${labelled.truth.join(' ')}`;
      return `<figure class="${outcome}">${image}<figcaption><b>${truth}</b><br>${outcome === 'refused' || outcome === 'not-taken' ? '' : `<b>${outcomeTexts[outcome]}</b>, `}${readText(explained.reading)}<br><span class="soft">${escaped(labelled.file)}</span></figcaption></figure>`;
    });
    const rows = throws.map(({ labelled, explained: { reading, detail }, outcome, ms, repeats }) => {
      const isBad = outcome === 'wrong' || outcome === 'falsely-taken';
      const notes = [detail, repeats === null ? null : `same throw as ${repeats}`].filter((note) => note !== null);
      const confidences = reading.dice.map(({ confidence }) => confidence.toFixed(2)).join(' ');
      return `<tr class="${isBad ? 'failed' : ''}"><td>${escaped(labelled.file)}</td><td data-name="lies">${labelled.truth?.join(' ') ?? escaped(labelled.className)}</td><td>${readText(reading)}</td><td class="mark">${outcomeTexts[outcome]}</td><td data-name="confidence">${confidences}</td><td class="n" data-name="ms">${ms.toFixed(1)}</td><td>${escaped(notes.join('; '))}</td></tr>`;
    });
    return `<div class="throws">${shown.join('')}</div><p class="soft">${shown.length} of ${throws.length} pictures: all that were refused or went wrong, and the first ${goodPicturesMax} others. Green: a die on which both readers agree; red: one on which they do not; nothing drawn: no die found.</p>
${table(['Picture', 'lies', 'read', 'outcome', 'confidence', 'ms', 'remarks'], rows, [5], 'stack')}`;
  } finally {
    rig.view.referenceMat.release();
  }
}

function readText(reading: Validation['throws'][number]['explained']['reading']): string {
  return reading.verdict === 'accepted' ? `read ${reading.values.join(' ')}` : `refused: ${reading.cause}`;
}

function signatures(
  { profile, profileSha256, limits, isPassed }: Validation,
  { table: tableName, technician, supervisor }: ReportPeople,
): string {
  const keptCount = limits.filter(({ verdict }) => verdict === 'passed').length;
  const what = `calibration ${profile.id}${tableName === null ? '' : ` of table ${tableName}`}, SHA-256 ${profileSha256}`;
  const line = (role: string, name: string | null): string =>
    `<div></div><div></div><p>${role}${name === null ? '' : `: ${escaped(name)}`}</p><p>Date</p>`;
  return `<p><b>${isPassed ? 'PASSED' : 'NOT PASSED'}</b>: ${escaped(what)}. ${keptCount} of ${limits.length} stated limits were measured and kept.</p>
<p>With their signatures both confirm that the values under "lies" were on the dice, and that camera, lamps, tray and dice were those of the table in play.</p>
<div class="sign">${line('Technician', technician)}${line('Supervisor', supervisor)}</div>`;
}

function table(header: readonly string[], rows: readonly string[], numeric: readonly number[] = [], kind = ''): string {
  const cells = header.map((name, column) => `<th${numeric.includes(column) ? ' class="n"' : ''}>${name}</th>`);
  return `<div class="wide"><table class="${kind}"><thead><tr>${cells.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function short(value: number): string {
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function dateText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function dataUri(jpeg: Buffer): string {
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
