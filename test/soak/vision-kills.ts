import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Person } from '../../src/core/round/person.ts';
import { productRoot } from '../../src/product-root.ts';
import { percentile } from '../bench/percentile.ts';
import { childrenRunning } from '../process/children-running.ts';
import { type TableFolder, tableFolder } from '../process/table-folder.ts';
import { type LabelledThrow, labelledRigs } from '../real-input/labelled-rig.ts';
import { RealTable, settleMs } from '../real-input/real-table.ts';
import type { ArrivedEvent } from '../real-input/round-feed.ts';
import type { Findings } from './findings.ts';
import { checkedJournal } from './journal-check.ts';
import { soakSettingsOf } from './soak-settings.ts';

/** What a soak with kills of the vision process under a playing table does (failures.md CAM-09). */
export interface VisionKillsOptions {
  /** Rounds, in each of which the vision process is killed once, 1 to 10,000. */
  readonly kills: number;
  readonly seed: number;
}

const defaults: VisionKillsOptions = { kills: 50, seed: 1 };
export const visionKillsUsage = 'npm run soak -- vision-kills [kills=50] [seed=1]';

/** Reads `key=value` arguments. @throws Error with what is wrong. */
export function visionKillsSettings(args: readonly string[]): VisionKillsOptions {
  return soakSettingsOf(args, defaults, { kills: [1, 10_000], seed: [0, 2 ** 31] }, visionKillsUsage);
}

const dealer: Person = { name: 'Dana', role: 'dealer' };
const supervisor: Person = { name: 'Sam', role: 'supervisor' };
/** After DONE the dice rest for the settle window and are read within a few pictures, ms. */
const readingMs = 250;
/** The table has a vision process again, and the throw is a result, void or held, within this time of the kill, ms (failures.md CAM-09). Judged by the
 *  median, since starting a process takes a busy machine longer now and then. */
const backMsMax = 10_000;
/** Of fewer kills the median says nothing. */
const judgedKillsMin = 10;
const stepMsMax = 60_000;
/** All shakes of a round that is not read at once, ms. */
const roundMsMax = 60_000;

/** Plays labelled throws on `sicbo run` with camera and shaker, and kills the vision process between DONE and the result of each, by SIGKILL and SIGSEGV in
 *  turn. @returns the folder, to be removed by whoever called. */
export async function runVisionKills(
  { kills, seed }: VisionKillsOptions,
  findings: Findings,
  say: (line: string) => void,
): Promise<TableFolder> {
  const places = tableFolder();
  const [rig] = labelledRigs(join(productRoot, 'test/fixtures/vision'), 'rig-d');
  if (rig === undefined) throw new Error('no rig rig-d');
  const calibrationFile = join(rig.folder, 'calibration.json');
  const random = seededRandom(seed);
  const throws = rig.throws.filter(({ className, hasGlare }) => className === 'flat' && !hasGlare);
  const backMs: number[] = [];
  const table = await RealTable.start({
    ...rig,
    folder: places.folder,
    calibrationFile,
    frameRate: 15,
    shakesMax: 2,
    slowness: 1.7,
    seed,
  });
  try {
    for (let kill = 0; kill < kills && !findings.signal.aborted; kill += 1) {
      const labelled = throws[kill % throws.length];
      if (labelled === undefined) throw new Error('the rig has no valid throws');
      const afterMs = random.between(0, settleMs + readingMs);
      backMs.push(await killInRound(table, labelled, { signal: kill % 2 === 0 ? 'SIGKILL' : 'SIGSEGV', afterMs }, findings));
      if ((kill + 1) % 10 === 0) say(`${kill + 1} kills`);
    }
  } catch (error) {
    findings.wrong(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await table.close();
  }
  findings.counts['back after a kill, median ms'] = Math.round(percentile(backMs, 0.5));
  findings.counts['back after a kill, longest ms'] = Math.round(Math.max(0, ...backMs));
  if (backMs.length >= judgedKillsMin && percentile(backMs, 0.5) > backMsMax)
    findings.wrong(`the table is back after ${percentile(backMs, 0.5).toFixed(0)} ms (median)`);
  const { problems, records } = checkedJournal(places.journalPath, places.anchorFolder);
  for (const problem of problems) findings.wrong(problem);
  findings.counts.rounds = records.filter(({ event }) => event.kind === 'roundOpened').length;
  findings.counts['terminal records'] = records.filter(
    ({ event }) => event.kind === 'roundSettled' || event.kind === 'roundVoided',
  ).length;
  if (findings.counts.rounds !== findings.counts['terminal records']) findings.wrong('not every round has its one end');
  return places;
}

/** One round with a kill in it. @returns the time from the kill to a result, a void throw or a hold with a vision process running, ms. */
async function killInRound(
  table: RealTable,
  { file, values }: LabelledThrow,
  { signal, afterMs }: { readonly signal: NodeJS.Signals; readonly afterMs: number },
  findings: Findings,
): Promise<number> {
  const { feed } = table;
  await table.rested();
  await table.throwNext(file);
  const startIndex = feed.eventCount;
  const came = (...kinds: readonly ArrivedEvent['event']['kind'][]): Promise<ArrivedEvent> =>
    feed.until(kinds.join(' or '), roundMsMax, () => feed.from(startIndex).find(({ event }) => kinds.includes(event.kind)));
  await table.act('open', { by: dealer });
  await came('bettingClosed');
  await table.act('shake', { by: dealer });
  await came('shakeFinished');
  const throwIndex = feed.eventCount;
  await pause(afterMs);
  const pid = childrenRunning('vision-process', table.daemonPid)[0];
  if (pid === undefined) throw new Error('no vision process runs');
  process.kill(pid, signal);
  const killedMs = performance.now();
  const moved: readonly ArrivedEvent['event']['kind'][] = ['resultDeclared', 'throwVoided', 'roundVoided', 'roundHeld'];
  await feed.until(moved.join(' or '), stepMsMax, () => feed.from(throwIndex).find(({ event }) => moved.includes(event.kind)));
  await feed.until('a vision process again', stepMsMax, () =>
    table.feed.table?.faults.some(({ code }) => code === 'vision.down') === false ? true : null,
  );
  const backMs = performance.now() - killedMs;
  if (backMs > backMsMax) findings.count('back later than 10 s');
  const { event } = await came('resultDeclared', 'roundVoided', 'roundHeld');
  if (event.kind === 'resultDeclared' && event.dice.join(',') !== values)
    findings.wrong(`${basename(file)}: ${event.dice} declared, the dice show ${values}`);
  if (event.kind === 'roundHeld') await table.act('void', { by: supervisor, second: dealer, reason: 'vision process killed' });
  await came('roundSettled', 'roundVoided');
  findings.count(`${signal}: ${event.kind === 'roundHeld' ? `held (${event.cause}), voided by persons` : event.kind}`);
  return backMs;
}
