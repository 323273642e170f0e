import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { SimDiceReader } from '../../hardware-sim/sim-dice-reader.ts';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import { SimTray } from '../../hardware-sim/sim-tray.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Face, sortedDice } from '../../src/core/rules/dice.ts';
import { realDevices, runDaemon } from '../../src/main.ts';

/** Pictures a second of the simulated camera. */
const frameRate = 30;

/** Program: the daemon of `sicbo run` with everything real (serial line, GPIO, journal, API, signals) but camera and vision, which take simulated
 *  pictures at their word, so that tests of the process spend no time on pixels. `node table-program.js --config FILE [--seed N]`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, seed: { type: 'string', default: '1' } } });
  if (values.config === undefined) throw new Error('--config FILE is missing');
  const config = loadConfig(values.config);
  const log = pino({ level: config.log.level, base: { table: config.table.id } });
  const devices = realDevices(config, log);
  const random = seededRandom(Number(values.seed));
  const face = (): Face => random.pick<Face>([1, 2, 3, 4, 5, 6]);
  const { clock, shaker } = devices;
  const tray = new SimTray({
    clock,
    shaker,
    nextThrow: () => (random.next() < 0.05 ? 'tilted' : sortedDice(face(), face(), face())),
  });
  const frames = new SimFrames({ clock, frameRate, picture: () => tray.picture() });
  await runDaemon(config, log, { ...devices, frames, reader: new SimDiceReader() });
}

await main();
