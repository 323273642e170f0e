import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { SimDiceReader } from '../../hardware-sim/sim-dice-reader.ts';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import { SimTray } from '../../hardware-sim/sim-tray.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Face, sortedDice } from '../../src/core/rules/dice.ts';
import { realDevices, runDaemon } from '../../src/main.ts';
import { type DyingMoment, dyingDevices } from './dying-devices.ts';

/** Pictures a second of the simulated camera. */
const frameRate = 30;

/** Program: the daemon of `sicbo run` with everything real (serial line, GPIO, journal, API, signals) but camera and vision, which take simulated
 *  pictures at their word, so that tests of the process spend no time on pixels. `node table-program.js --config FILE [--seed N] [--mistake decision|callback|promise] [--dies MOMENT]`: the
 *  mistake is made when SIGUSR2 comes; for the moments see `dying-devices.ts`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      seed: { type: 'string', default: '1' },
      mistake: { type: 'string', default: 'none' },
      dies: { type: 'string', default: 'never' },
    },
  });
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
  let isMistaken = false;
  const surroundings = {
    diskProblem: () => null,
    isClockSynchronised: () => {
      if (isMistaken) throw new Error('a mistake where a record is written');
      return true;
    },
  };
  process.on('SIGUSR2', () => {
    if (values.mistake === 'decision') isMistaken = true;
    else if (values.mistake === 'promise') void Promise.reject(new Error('a mistake that nobody waited for'));
    else if (values.mistake === 'callback') throw new Error('a mistake in a callback');
  });
  const sound = { ...devices, frames, surroundings, reader: new SimDiceReader() };
  await runDaemon(config, log, values.dies === 'never' ? sound : dyingDevices(sound, values.dies as DyingMoment));
}

await main();
