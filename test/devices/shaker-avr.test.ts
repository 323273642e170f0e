import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AvrBoard } from '../../hardware-sim/avr-board.ts';
import { readAvrMemory } from '../../hardware-sim/avr-memory.ts';
import { neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

let bench: ShakerBench;

beforeEach(async () => {
  bench = await shakerBench({}, {}, 'avr');
  bench.shaker.open();
  await bench.until(() => bench.shaker.status.isOnline);
});
afterEach(() => bench.close());

function board(): AvrBoard {
  const { model } = bench.device.firmware;
  if (!(model instanceof AvrBoard)) throw new Error('no compiled firmware runs');
  return model;
}

it('stops the motor at once when the emergency stop is pressed, and plays on only after a person has cleared it', async () => {
  const shaking = bench.shaker.shake(oneShake(1), neverAborted());
  await bench.until(() => board().isMotorOn);
  board().setEmergencyStop(true);
  const pressedMs = performance.now();
  await bench.until(() => !board().isMotorOn, 500);
  expect(performance.now() - pressedMs).toBeLessThan(250);
  expect(await shaking).toMatchObject({ kind: 'failed' });
  expect(bench.kinds()).toContain('tamper');
  // Still pressed: clearing makes nothing well.
  await bench.shaker.clearFaults();
  expect(await bench.shaker.shake(oneShake(2), neverAborted())).toMatchObject({ kind: 'failed' });
  board().setEmergencyStop(false);
  await bench.shaker.clearFaults();
  expect(await bench.shaker.shake(oneShake(3), neverAborted())).toMatchObject({ kind: 'finished', tumbleCount: 3 });
  expect(bench.device.firmware.motionCount).toBe(2);
});

it('is restarted by its watchdog when its main loop hangs, with the motor off and the shake lost', async () => {
  const shaking = bench.shaker.shake(oneShake(1), neverAborted());
  await bench.until(() => board().isMotorOn);
  board().hang();
  await bench.until(() => !board().isMotorOn, 2_000);
  expect(await shaking).toEqual({ kind: 'failed', cause: 'rebooted' });
  await bench.until(() => bench.shaker.status.isOnline);
  expect(bench.shaker.status.identity?.bootCount).toBe(2);
  expect(board().lastOrder).toMatchObject({ order: 1, outcome: 'lost' });
  expect(await bench.shaker.shake(oneShake(2), neverAborted())).toMatchObject({ kind: 'finished' });
});

it('keeps its orders over power cuts at any moment of a shake, and runs none twice', async () => {
  for (let order = 1; order <= 6; order += 1) {
    const shaking = bench.shaker.shake(oneShake(order), neverAborted());
    await bench.until(() => bench.device.firmware.motionCount === order);
    const startMs = performance.now();
    await bench.until(() => performance.now() - startMs > 90 * order);
    bench.device.inject({ kind: 'reboot' });
    await shaking;
    await bench.until(() => bench.shaker.status.isOnline);
    expect(board().lastOrder.order).toBe(order);
    expect(['lost', 'settled']).toContain(board().lastOrder.outcome);
  }
  expect(bench.device.firmware.motionCount).toBe(6);
  expect(readAvrMemory(readFileSync(join(bench.directory, 'eeprom')))).toMatchObject({ bootCount: 7 });
});
