import { InputError } from '../src/errors.ts';
import { readJpeg } from '../src/vision/read-picture.ts';
import { openRig, type Rig } from '../src/vision/rig.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import { cameraStep, resultLines } from './guide-camera.ts';
import type { GuideParts, ProposedValues } from './guide-parts.ts';
import { doubtfulSamples, samplesStep } from './guide-samples.ts';
import { scenesStep } from './guide-scenes.ts';
import { throwsStep, validThrows } from './guide-throws.ts';
import type { CalibrationProfile } from './profile.ts';
import { reportHtml } from './report-html.ts';
import { reportJson } from './report-json.ts';
import { missingOf } from './sample-plan.ts';
import type { SessionSettings } from './session.ts';
import { validateProfile } from './validate.ts';
import { readValidationSet } from './validation-set.ts';

/** How a guided calibration ended. */
export interface GuideResult {
  readonly profileId: string;
  readonly isPassed: boolean;
  readonly report: string;
}

/** Throws added when those so far do not allow a fit. */
const moreThrows = 4;

/** Leads a technician from an empty tray to a report: camera, tray, samples, fit, validation. Goes on where the session stands.
 *  @throws InputError `calibration.*`, or what the front or the signal ends it with; nothing is lost by it. */
export async function guideCalibration(parts: GuideParts): Promise<GuideResult> {
  const { session, front, plan } = parts;
  front.say(
    `Calibration of table ${parts.tableName}: camera, throws to learn from, fit, throws to validate with, scenes that must not be taken, report.`,
  );
  front.say('Everything is kept at once. Ctrl-C stops at any moment, and the same command goes on from there.');
  const settings = session.settings ?? (await settingsStep(parts));
  const { tray } = await cameraStep(parts);
  if (tray === null) throw new InputError('calibration.no-tray', 'the pictures of the session show no tray; begin anew');
  const fitted = await fittedStep(parts, settings, tray);
  await withRig(fitted, async (rig) => {
    const read = (jpeg: Buffer): ProposedValues => readJpeg(rig, jpeg).reading;
    const series = { throwCount: plan.validationThrows, faceCount: plan.validationFaceCount, tray, read };
    if (missingOf(validThrows(parts, 'test'), series.throwCount, series.faceCount) !== null) {
      front.say(
        `Step 3 of 5: ${plan.validationThrows} throws that the fit has not seen. Say what lies there; what is read is not shown before.`,
      );
      front.say('"no" as values: the dice do not all lie flat.');
    }
    await throwsStep(parts, { ...series, kind: 'test' });
    front.say(`Step 4 of 5: ${plan.invalidScenes.length} scenes that must not be taken as a result. Lay them by hand.`);
    await scenesStep(parts, plan.invalidScenes, tray, read);
  });
  front.say('Step 5 of 5: validation. It takes some seconds.');
  return validationStep(parts, fitted, settings);
}

function validationStep(parts: GuideParts, fitted: CalibrationProfile, settings: SessionSettings): GuideResult {
  const { session, archive, front, softwareVersion } = parts;
  const set = readValidationSet(session.folder);
  const { sha256 } = archive.profile(fitted.id);
  const validation = validateProfile({ profile: fitted, profileSha256: sha256, validatedAt: parts.nowIso() }, set);
  const people = { table: parts.tableName, technician: settings.technician, supervisor: settings.supervisor || null };
  const html = reportHtml(validation, set.emptyPictures[0]?.jpeg ?? Buffer.alloc(0), people, softwareVersion);
  const report = archive.keepValidation(validation, html, reportJson(validation, softwareVersion), settings.technician);
  for (const line of resultLines(validation.limits)) front.say(line);
  return { profileId: fitted.id, isPassed: validation.isPassed, report };
}

async function settingsStep({ front, session, given }: GuideParts): Promise<SessionSettings> {
  const technician = given.technician ?? (await asked(front.ask('technician', 'Your name'), 'unknown'));
  const supervisor =
    given.supervisor ?? (await asked(front.ask('supervisor', 'Supervisor who will sign (ENTER for none yet)'), ''));
  const why =
    given.why ?? (await asked(front.ask('why', 'Why is it calibrated (ENTER for "first calibration")'), 'first calibration'));
  let dieEdgeMm = millimetres(given.dieEdgeMm ?? '');
  while (dieEdgeMm === null) {
    dieEdgeMm = millimetres(await front.ask('die-edge-mm', 'Edge of a die in mm, as measured with a gauge (8 to 40)'));
    if (dieEdgeMm === null) front.say('A length from 8 to 40 mm is needed, like 16 or 15.8.');
  }
  const settings: SessionSettings = { schemaVersion: 1, technician, supervisor, why, dieEdgeMm, fitted: null };
  session.settings = settings;
  return settings;
}

async function asked(answer: Promise<string>, fallback: string): Promise<string> {
  return (await answer).trim() || fallback;
}

function millimetres(text: string): number | null {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && value >= 8 && value <= 40 ? value : null;
}

/** Step 2: samples and fit. A first fit on some of the samples saves typing: later throws are read and only confirmed. */
async function fittedStep(parts: GuideParts, settings: SessionSettings, tray: TrayCircle): Promise<CalibrationProfile> {
  const { session, archive, front, plan } = parts;
  const known = settings.fitted;
  const sampleCount = (): number => validThrows(parts, 'calib').length;
  if (known !== null && known.sampleCount === sampleCount()) {
    front.say(`Going on with calibration ${known.profileId}.`);
    return archive.profile(known.profileId).profile;
  }
  await learnStep(parts, settings, tray);
  const series = { kind: 'calib', faceCount: plan.fitFaceCount, tray, read: parts.readUncalibrated } as const;
  for (let wanted = plan.fitThrows; ; ) {
    await throwsStep(parts, { ...series, throwCount: wanted });
    front.say('The fit takes up to a minute.');
    const profile = await fitOrNull(parts, settings);
    const doubts = profile === null ? null : await withRig(profile, async (rig) => doubtfulSamples(parts, rig));
    const removedCount = await samplesStep(parts, doubts);
    if (profile === null && removedCount === 0) wanted = sampleCount() + moreThrows;
    if (profile === null || removedCount > 0) continue;
    archive.keep(profile);
    session.settings = { ...settings, fitted: { profileId: profile.id, sampleCount: sampleCount() } };
    const { measured } = profile;
    front.say(
      `Calibration ${profile.id}: ${measured.dieCount} dice in ${measured.pictureCount} pictures; ${measured.acceptedCount} samples accepted, ${measured.wrongCount} of them wrong.`,
    );
    if (measured.wrongCount > 0) front.say('It misreads its own samples: with these the validation will not pass.');
    return profile;
  }
}

/** Throws to learn from: the first ones with the proposals of a reader that knows nothing, the others with those of a first fit. */
async function learnStep(parts: GuideParts, settings: SessionSettings, tray: TrayCircle): Promise<void> {
  const { front, plan } = parts;
  const isComplete = (): boolean => missingOf(validThrows(parts, 'calib'), plan.fitThrows, plan.fitFaceCount) === null;
  if (isComplete()) return;
  front.say(
    `Step 2 of 5: ${plan.fitThrows} throws to learn from. The dice should come to lie everywhere in the tray, near the wall and touching ones included.`,
  );
  front.say('Values in any order, like 146. "skip" as values: the dice do not all lie flat. "undo" takes the last throw back.');
  if (parts.readUncalibrated !== null) front.say('The first ones are read without a calibration: look twice before you confirm.');
  const series = { kind: 'calib', throwCount: plan.fitThrows, faceCount: plan.fitFaceCount, tray } as const;
  const isReadyForFirst = (): boolean => missingOf(validThrows(parts, 'calib'), plan.firstFitThrows, 1) === null;
  await throwsStep(parts, { ...series, read: parts.readUncalibrated }, isReadyForFirst);
  if (isComplete()) return;
  front.say('A first fit, so that the next throws need only be confirmed. It takes up to a minute.');
  const first = await fitOrNull(parts, settings);
  if (first === null) await samplesStep(parts, null);
  else await withRig(first, (rig) => throwsStep(parts, { ...series, read: (jpeg) => readJpeg(rig, jpeg).reading }));
}

/** @returns null when these samples do not allow a fit, after the technician was told why. */
async function fitOrNull(parts: GuideParts, { technician, why }: SessionSettings): Promise<CalibrationProfile | null> {
  const { front, session, nowIso } = parts;
  try {
    return await parts.fit(session.folder, { createdBy: technician, why, createdAt: nowIso() });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    front.say(
      `These samples do not allow a fit yet: ${error.message}. Wrong values, a hand in the picture or a missing die may be why.`,
    );
    return null;
  }
}

async function withRig<T>(profile: CalibrationProfile, work: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = openRig(profile);
  try {
    return await work(rig);
  } finally {
    rig.view.referenceMat.release();
  }
}
