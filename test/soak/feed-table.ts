import { parseArgs } from 'node:util';
import { SimDiceReader } from '../../hardware-sim/sim-dice-reader.ts';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import { SimLamps } from '../../hardware-sim/sim-lamps.ts';
import { SimShaker } from '../../hardware-sim/sim-shaker.ts';
import { SimTray } from '../../hardware-sim/sim-tray.ts';
import { buildTable } from '../../src/build-table.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLog } from '../../src/ports/log.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** What the program is told: to play one round to its end, or to say how its feed does. */
export type FeedTableOrder = { readonly kind: 'play' } | { readonly kind: 'count' };

/** What it tells: that it listens, when it wrote a result (CLOCK_MONOTONIC, ns as text), that the round is over, its counters. */
export type FeedTableWord =
  | { readonly kind: 'ready'; readonly address: string; readonly wallMs: number; readonly head: number }
  | { readonly kind: 'result'; readonly seq: number; readonly atNs: string }
  | { readonly kind: 'played'; readonly head: number; readonly wallMs: number }
  | { readonly kind: 'counted'; readonly counters: Readonly<Record<string, number>> };

/** Program: the daemon's own journal, runtime and server around simulated devices in virtual time, so that a process of its own writes as many real
 *  rounds a second as its listeners can bear. `node feed-table.js --config FILE --wall MS`, the rest over the channel of `fork`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, wall: { type: 'string' } } });
  if (values.config === undefined) throw new Error('--config FILE is missing');
  const clock = new VirtualClock(Number(values.wall));
  const shaker = new SimShaker({ clock, tumbleMs: 150 });
  const tray = new SimTray({ clock, shaker, nextThrow: () => [2, 4, 5] });
  const frames = new SimFrames({ clock, frameRate: 30, picture: () => tray.picture() });
  const surroundings = { diskProblem: () => null, isClockSynchronised: () => true };
  const devices = { clock, shaker, frames, reader: new SimDiceReader(), lamps: new SimLamps(), surroundings };
  const { table, server, start } = await buildTable(loadConfig(values.config), devices, 'soak', silentLog, (error) => {
    throw error;
  });
  table.onAppended((records) => {
    for (const { event, recordNumber } of records) {
      if (event.kind === 'resultDeclared') tell({ kind: 'result', seq: recordNumber, atNs: process.hrtime.bigint().toString() });
    }
  });
  const address = await start();
  const play = async (): Promise<void> => {
    const { roundCount } = table.state;
    await clock.advanceUntil(() => table.state.roundCount > roundCount && table.state.round?.end !== null, 120_000);
    tell({ kind: 'played', head: table.head.recordNumber, wallMs: clock.now().wallMs });
  };
  process.on('message', (order: FeedTableOrder) => {
    if (order.kind === 'play') void play();
    else tell({ kind: 'counted', counters: server.feed.counters });
  });
  process.on('disconnect', () => process.exit(0));
  tell({ kind: 'ready', address, wallMs: clock.now().wallMs, head: table.head.recordNumber });
}

function tell(word: FeedTableWord): void {
  process.send?.(word);
}

await main();
