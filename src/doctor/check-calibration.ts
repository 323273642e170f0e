import { type CalibrationProfile, isReliable, readProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Age from which a calibration is worth a look, days. A product default: twice a year, with the service of the shaker; pictures that drift
 *  are noticed at every reading whatever the age. */
export const ageDaysMax = 183;

const dayMs = 86_400_000;

/** The calibration file by itself. `profile` is null when it is of no use. */
export function checkCalibration(
  file: string,
  wallMs: number,
): { readonly finding: Finding; readonly profile: CalibrationProfile | null } {
  let profile: CalibrationProfile;
  try {
    profile = readProfile(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const detail = [error.message, ...error.problems.slice(0, 3)].join('; ');
    return {
      finding: problem('calibration', detail, 'make one with "sicbo calibrate fit", or set camera.calibrationFile'),
      profile: null,
    };
  }
  return { finding: judged(profile, wallMs), profile };
}

/** The calibration file against the calibration that a running table has read at its start. @param running what the table said of its devices.
 *  @returns nothing while both are the same, or where the table reads with none. */
export function checkCalibrationAtWork(file: string, running: readonly Finding[]): readonly Finding[] {
  const said = running.find(({ check }) => check === 'vision')?.detail ?? '';
  const idAtWork = /^calibration (\S+)$/.exec(said)?.[1];
  if (idAtWork === undefined || idAtWork === 'none') return [];
  try {
    const { id } = readProfile(file);
    if (id === idAtWork) return [];
    const detail = `the table reads with ${idAtWork}, the one of its start; ${file} holds ${id} since`;
    return [warning('calibration', detail, 'end the table between two rounds and start it again')];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const detail = `the table reads with ${idAtWork}, the one of its start; ${error.message}`;
    return [
      problem('calibration', detail, 'activate a calibration before the table ends: it could not read dice after its next start'),
    ];
  }
}

function judged({ id, createdAt, createdBy, resolution, measured }: CalibrationProfile, wallMs: number): Finding {
  const ageDays = Math.floor((wallMs - Date.parse(createdAt)) / dayMs);
  const detail = `${id} for ${resolution.join(' x ')} px, made by ${createdBy} ${ageDays} days ago, ${measured.acceptedCount} samples read, ${measured.wrongCount} wrong`;
  if (measured.wrongCount > 0)
    return problem('calibration', detail, 'it misreads its own samples: check their labels and calibrate again');
  if (!isReliable({ measured })) {
    return problem(
      'calibration',
      `${detail} of ${measured.threeDiceCount} with three dice`,
      'it cannot judge: use dice or a floor that stand out from each other, or better samples, and calibrate again',
    );
  }
  if (ageDays < 0) return warning('calibration', `${detail}: made in the future`, 'set the clock of this machine');
  if (ageDays <= ageDaysMax) return ok('calibration', detail);
  return warning('calibration', `${detail}; at most ${ageDaysMax} days wanted`, 'calibrate again when the table is serviced');
}
