import { InputError } from '../src/errors.ts';
import { readJpeg } from '../src/vision/read-picture.ts';
import { openRig, type Rig } from '../src/vision/rig.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import { cameraStep, resultLines } from './guide-camera.ts';
import type { GuideParts } from './guide-parts.ts';
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
 *  @throws InputError `calibration.*`, DeviceError `calibration.no-pictures`, or what the front or the signal ends it with; nothing is lost by it. */
export async function guideCalibration(parts: GuideParts): Promise<GuideResult> {
  const { session, archive, front, plan } = parts;
  const settings = session.settings ?? (await settingsStep(parts));
  const { tray } = await cameraStep(parts);
  if (tray === null) throw new InputError('calibration.no-tray', 'the pictures of the session show no tray; begin anew');
  const fitted = await fittedStep(parts, settings, tray);
  front.say(`Step 4: ${plan.validationThrows} throws that the fit has not seen.`);
  await withRig(fitted, (rig) =>
    throwsStep(parts, {
      kind: 'test',
      throwCount: plan.validationThrows,
      faceCount: plan.validationFaceCount,
      tray,
      read: (jpeg) => readJpeg(rig, jpeg).reading,
    }),
  );
  front.say('Step 5: validation.');
  const set = readValidationSet(session.folder);
  const { sha256 } = archive.profile(fitted.id);
  const validation = validateProfile({ profile: fitted, profileSha256: sha256, validatedAt: parts.nowIso() }, set);
  const people = { table: parts.tableName, technician: settings.technician, supervisor: settings.supervisor || null };
  const html = reportHtml(validation, set.emptyPictures[0]?.jpeg ?? Buffer.alloc(0), people, parts.softwareVersion);
  const report = archive.keepValidation(validation, html, reportJson(validation, parts.softwareVersion), settings.technician);
  for (const line of resultLines(validation.limits)) front.say(line);
  return { profileId: fitted.id, isPassed: validation.isPassed, report };
}

async function settingsStep({ front, session, given }: GuideParts): Promise<SessionSettings> {
  const technician = given.technician ?? (await asked(front.ask('technician', 'Your name'), 'unknown'));
  const supervisor =
    given.supervisor ?? (await asked(front.ask('supervisor', 'Supervisor who will sign (ENTER for none yet)'), ''));
  const why = given.why ?? (await asked(front.ask('why', 'Why is it calibrated (first calibration)'), 'first calibration'));
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

/** Steps 2 and 3: samples and fit. A first fit on some of the samples saves typing: later throws are read and only confirmed. */
async function fittedStep(parts: GuideParts, settings: SessionSettings, tray: TrayCircle): Promise<CalibrationProfile> {
  const { session, archive, front, plan } = parts;
  const known = settings.fitted;
  const sampleCount = (): number => validThrows(parts, 'calib').length;
  if (known !== null && known.sampleCount === sampleCount()) {
    front.say(`Going on with calibration ${known.profileId}.`);
    return archive.profile(known.profileId).profile;
  }
  front.say(
    `Step 2: ${plan.fitThrows} throws to learn from. Let the dice come to lie everywhere in the tray, touching ones included.`,
  );
  if (parts.readUncalibrated !== null) front.say('The first ones are read without a calibration: look twice before you confirm.');
  const series = { kind: 'calib', throwCount: plan.fitThrows, faceCount: plan.fitFaceCount, tray } as const;
  const isReadyForFirst = (): boolean => missingOf(validThrows(parts, 'calib'), plan.firstFitThrows, 1) === null;
  await throwsStep(parts, { ...series, read: parts.readUncalibrated }, isReadyForFirst);
  if (missingOf(validThrows(parts, 'calib'), plan.fitThrows, plan.fitFaceCount) !== null) {
    front.say('A first fit, so that the next throws need only be confirmed.');
    const first = await fitOrNull(parts, settings);
    if (first === null) await throwsStep(parts, { ...series, read: parts.readUncalibrated });
    else await withRig(first, (rig) => throwsStep(parts, { ...series, read: (jpeg) => readJpeg(rig, jpeg).reading }));
  }
  front.say('Step 3: fit.');
  for (let wanted = plan.fitThrows; ; wanted += moreThrows) {
    await throwsStep(parts, { ...series, throwCount: wanted, read: parts.readUncalibrated });
    const profile = await fitOrNull(parts, settings);
    if (profile === null) continue;
    archive.keep(profile);
    session.settings = { ...settings, fitted: { profileId: profile.id, sampleCount: sampleCount() } };
    const { measured } = profile;
    front.say(
      `Calibration ${profile.id}: ${measured.dieCount} dice in ${measured.pictureCount} pictures; ${measured.acceptedCount} samples accepted, ${measured.wrongCount} of them wrong.`,
    );
    return profile;
  }
}

/** @returns null when these samples do not allow a fit, after the technician was told why. */
async function fitOrNull(parts: GuideParts, { technician, why }: SessionSettings): Promise<CalibrationProfile | null> {
  const { front, session, nowIso } = parts;
  try {
    return await parts.fit(session.folder, { createdBy: technician, why, createdAt: nowIso() }, (line) => {
      if (line.includes('WRONG')) front.say(`  ${line}: look whether its values were typed right`);
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    front.say(`These samples do not allow a fit yet: ${error.message}. ${moreThrows} more throws are needed.`);
    return null;
  }
}

async function withRig(profile: CalibrationProfile, work: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = openRig(profile);
  try {
    await work(rig);
  } finally {
    rig.view.referenceMat.release();
  }
}
