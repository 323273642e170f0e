import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { SystemClock } from '../src/devices/system-clock.ts';
import { MachinePictures } from './camera-pictures.ts';
import { CameraServer } from './camera-server.ts';
import { blankMemory, loadMemory, saveMemory } from './firmware-memory.ts';
import { FirmwareProcess } from './firmware-process.ts';
import { DiceMachine } from './machine.ts';
import { type MachineWord, machineOrder } from './machine-order.ts';
import { demoRig } from './rig.ts';

/** The simulated machine as one process: shaker firmware on a pseudo-terminal and a camera over HTTP, both driven by the same dice.
 *  `node machine-main.js --link PATH [--camera-port N] [--frame-rate N] [--memory FILE] [--seed N] [--cover] [--firmware avr]`. Ends with its input, or by a signal. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      link: { type: 'string' },
      'camera-port': { type: 'string', default: '0' },
      'frame-rate': { type: 'string', default: '15' },
      memory: { type: 'string' },
      seed: { type: 'string', default: '1' },
      cover: { type: 'boolean', default: false },
      firmware: { type: 'string', default: 'model' },
    },
  });
  const { link, memory: file, cover: hasCover } = values;
  if (link === undefined) throw new Error('--link PATH is missing');
  const seed = Number(values.seed);
  const say = (word: MachineWord): void => void process.stdout.write(`${JSON.stringify(word)}\n`);
  const clock = new SystemClock();
  const rig = demoRig();
  const machine = await DiceMachine.start(clock, rig, seed);
  const memory = file === undefined ? blankMemory() : loadMemory(file);
  const firmware = await FirmwareProcess.start({
    link,
    memory,
    hasCover,
    seed,
    ...(values.firmware === 'avr' ? { firmware: { kind: 'avr', eepromFile: `${file ?? link}.eeprom` } } : {}),
    onMemoryChanged: () => file !== undefined && saveMemory(file, memory),
    onActivation: (activation) => {
      say({ kind: 'shaking', orderNumber: activation.orderNumber, activationNumber: activation.activationNumber });
      return machine.onActivation(activation);
    },
    onSaid: (said) => {
      if (said.verb === 'cover' && 'state' in said.fields) machine.moveCover(said.fields.state === 'closed' ? 'closed' : 'open');
    },
  });
  const pictures = new MachinePictures(machine, rig, seed);
  const camera = await CameraServer.start({
    clock,
    pictures,
    port: Number(values['camera-port']),
    frameRate: Number(values['frame-rate']),
  });
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    try {
      const order = machineOrder.parse(JSON.parse(line));
      if (order.to === 'firmware') firmware.inject(order.fault);
      else if (order.to === 'camera') camera.setFault(order.fault);
      else machine.queue(...order.faults);
    } catch (error) {
      say({ kind: 'refused', detail: error instanceof Error ? error.message : String(error) });
    }
  });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    void Promise.all([firmware.close(), camera.close()]).then(() => process.exit(0));
  };
  input.once('close', end);
  // Ctrl-C reaches the whole group; the machine goes on until the daemon has ended its round.
  process.on('SIGINT', () => {});
  process.once('SIGTERM', end);
  say({ kind: 'ready', link, cameraUrl: camera.url });
}

await main();
