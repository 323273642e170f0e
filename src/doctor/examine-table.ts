import type { TableConfig } from '../config/table-config.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader } from '../ports/dice-reader.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { Lamps } from '../ports/lamps.ts';
import type { Shaker } from '../ports/shaker.ts';
import { atMost } from './at-most.ts';
import { checkApiPort } from './check-api-port.ts';
import { checkCalibration, checkCalibrationAtWork } from './check-calibration.ts';
import { checkCamera } from './check-camera.ts';
import { checkClock } from './check-clock.ts';
import { checkFolders } from './check-folders.ts';
import { checkJournal } from './check-journal.ts';
import { checkLamps } from './check-lamps.ts';
import { checkNode } from './check-node.ts';
import { checkRunningTable } from './check-running-table.ts';
import { checkShaker } from './check-shaker.ts';
import { checkPictures, startVision } from './check-vision.ts';
import { type Finding, ok, problem } from './finding.ts';
import { claimTable } from './table-claim.ts';

/** A table as configured, with its devices made and not opened. */
export interface Patient {
  readonly config: TableConfig;
  readonly clock: Clock;
  readonly shaker: Shaker;
  readonly frames: FrameSource;
  readonly reader: DiceReader;
  readonly lamps: Lamps;
  readonly surroundings: { diskProblem(): string | null; isClockSynchronised(): boolean };
}

/** Longest times, ms. With the 5 s of the journal: 2 + 5 + 2 + 19 + 2 = 30 s for everything; a running table is asked two questions of 2 s. */
const quickMsMax = 2_000;
const tableMsMax = 5_000;
const devicesMsMax = 19_000;
const closeMsMax = 2_000;

/** Makes every check, each with a deadline, 30 s in all; opens no device of a table that runs, and leaves all devices closed.
 *  @param tell called with each finding as soon as it is there. @returns the findings in the order of the checks. */
export async function examineTable(
  patient: Patient,
  node: { readonly version: string; readonly range: string },
  tell: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const { config, clock, surroundings } = patient;
  const findings: Finding[] = [];
  const add = (...more: readonly Finding[]): void => {
    findings.push(...more);
    for (const finding of more) tell(finding);
  };
  add(checkNode(node.version, node.range));
  add(
    ok('configuration', `${config.path}: table ${config.table.id}, house ${config.house.id}, ${config.house.zones.length} zones`),
  );
  add(checkClock(surroundings.isClockSynchronised(), clock.now().wallMs));
  add(
    ...(await inTime(
      clock,
      'folders',
      quickMsMax,
      checkFolders(config.journal, () => surroundings.diskProblem()),
    )),
  );
  const claim = claimTable(config.journal.path);
  try {
    if (claim.kind === 'unknown') add(problem('lock', claim.detail, 'run the check as the user of the table'));
    add(checkJournal(config.journal, config.table.id, clock));
    if (claim.kind === 'running') {
      const running = await inTime(clock, 'table', tableMsMax, checkRunningTable(config.api));
      add(...running, ...checkCalibrationAtWork(config.camera.calibrationFile, running));
      return findings;
    }
    add(
      ...(await inTime(
        clock,
        'api port',
        quickMsMax,
        checkApiPort(config.api).then((finding) => [finding]),
      )),
    );
    const groups = [
      inTime(clock, 'shaker', devicesMsMax, checkShaker(config.shaker, patient.shaker, clock)),
      inTime(clock, 'camera', devicesMsMax, checkSight(patient)),
      inTime(clock, 'lamps', devicesMsMax, checkLamps(config.lamps, patient.lamps, clock)),
    ];
    for (const group of groups)
      void group.then(
        (found) => found.forEach(tell),
        () => undefined,
      );
    findings.push(...(await Promise.all(groups)).flat());
    return findings;
  } finally {
    await closed(patient);
    if (claim.kind === 'ours') claim.release();
  }
}

/** Calibration, camera and vision process build upon each other; the process starts while pictures are counted. */
async function checkSight({ config, clock, frames, reader }: Patient): Promise<readonly Finding[]> {
  const { finding, profile } = checkCalibration(config.camera.calibrationFile, clock.now().wallMs);
  // Without a calibration the vision process has nothing to start with.
  if (profile === null) return [finding, ...(await checkCamera(frames, clock, null)).findings];
  const starting = startVision(reader, clock);
  const camera = await checkCamera(frames, clock, profile.resolution);
  const vision = await starting;
  const found = [finding, ...camera.findings, vision];
  if (vision.verdict !== 'ok' || camera.frames.length === 0) return found;
  return [...found, ...(await checkPictures(reader, camera.frames, clock))];
}

async function inTime(
  clock: Clock,
  check: string,
  msMax: number,
  work: Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const found = await atMost(clock, msMax, work);
  return (
    found ?? [
      problem(check, `the check did not end within ${msMax} ms`, 'a driver or disk of this machine hangs: look at "dmesg"'),
    ]
  );
}

async function closed({ clock, shaker, frames, reader, lamps }: Patient): Promise<void> {
  lamps.close();
  await atMost(clock, closeMsMax, Promise.allSettled([shaker.close(), frames.close(), reader.close()]));
}
