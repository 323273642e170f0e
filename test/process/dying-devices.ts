import type { TableDevices } from '../../src/build-table.ts';
import type { DiceReader } from '../../src/ports/dice-reader.ts';
import type { Lamps } from '../../src/ports/lamps.ts';

/** Where between the outputs of its first result a daemon kills itself: while the dice are read, with nothing of it on disk; with the result on disk and
 *  no lamp lit; with the lamps lit and no listener told; never. */
export type DyingMoment = 'in-reading' | 'before-lamps' | 'after-lamps' | 'never';

/** The devices of a daemon that ends like a power cut at this moment. */
export function dyingDevices(devices: TableDevices, moment: DyingMoment): TableDevices {
  const { reader, lamps } = devices;
  const read: DiceReader['read'] = (frame) => {
    if (moment === 'in-reading') die();
    return reader.read(frame);
  };
  const show: Lamps['show'] = (zones) => {
    if (zones.size > 0 && moment === 'before-lamps') die();
    lamps.show(zones);
    if (zones.size > 0 && moment === 'after-lamps') die();
  };
  return { ...devices, reader: replaced(reader, 'read', read), lamps: replaced(lamps, 'show', show) };
}

/** The same object with another method. */
function replaced<Device extends object, Name extends keyof Device>(device: Device, name: Name, method: Device[Name]): Device {
  return new Proxy(device, {
    get: (target, key) => {
      const value: unknown = key === name ? method : Reflect.get(target, key, target);
      return typeof value === 'function' && key !== name ? value.bind(target) : value;
    },
  });
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
