import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GpioTree } from '../../hardware-sim/gpio-tree.ts';
import { describeLamps } from '../contracts/lamps-contract.ts';
import {
  type LampsProcess,
  lampOptions,
  piChip,
  shiningZones,
  startLampsProcess,
  startLampTree,
  type WiringKind,
} from './gpio-lamps-process.ts';

const wirings = [
  ['chain', false],
  ['chain', true],
  ['direct', false],
  ['direct', true],
] as const satisfies readonly (readonly [WiringKind, boolean])[];

for (const [kind, isActiveLow] of wirings) {
  describeLamps(`GpioLamps (${kind}, ${isActiveLow ? 'active low' : 'active high'})`, async () => {
    const tree = await startLampTree(kind, isActiveLow);
    const lamps = startLampsProcess(tree.spawn, lampOptions(kind, isActiveLow));
    return {
      open: () => lamps.order('open'),
      show: (zones) => lamps.order({ show: zones }),
      close: () => lamps.order('close'),
      shining: () => shiningZones(tree, kind),
      async dispose() {
        await lamps.end('SIGKILL');
        await tree.close();
      },
    };
  });
}

describe.each(wirings)('lamps on a %s with active low %s', (kind, isActiveLow) => {
  let tree: GpioTree;
  const running = new Set<LampsProcess>();
  const start = (timeScale = 1) => {
    const lamps = startLampsProcess(tree.spawn, { ...lampOptions(kind, isActiveLow), timeScale });
    running.add(lamps);
    return lamps;
  };
  afterEach(async () => {
    for (const lamps of running) await lamps.end('SIGKILL');
    running.clear();
    await tree.close();
  });

  it('lets no lamp flash over 20 starts, and writes the inactive direction before any value', async () => {
    tree = await startLampTree(kind, isActiveLow);
    for (let startNumber = 1; startNumber <= 20; startNumber += 1) {
      const lamps = start();
      expect(await lamps.order('open')).toMatchObject({ condition: 'ok' });
      const writes = await tree.writes();
      const lines = [...new Set(writes.map(({ path }) => path.split('/')[0] ?? '').filter((name) => name.startsWith('gpio')))];
      expect(lines).toHaveLength(kind === 'chain' ? 4 : 3);
      for (const line of lines) {
        const inactive = kind === 'chain' ? (line === 'gpio531' ? 'high' : 'low') : isActiveLow ? 'high' : 'low';
        expect(writes.filter(({ path }) => path.startsWith(`${line}/`)).slice(0, 2)).toEqual([
          { path: `${line}/active_low`, text: '0' },
          { path: `${line}/direction`, text: inactive },
        ]);
      }
      expect(writes.filter(({ path }) => path.endsWith('/direction'))).toHaveLength(lines.length);
      expect(await tree.litHistory()).toEqual([]);
      expect(await lamps.end('SIGTERM')).toBe(0);
      expect(await tree.litHistory()).toEqual([]);
      expect(await tree.exportedLines()).toEqual([]);
      running.delete(lamps);
      await tree.forget();
    }
  });

  it('is dark when the program ends, and gives the lines back', async () => {
    tree = await startLampTree(kind, isActiveLow);
    const lamps = start();
    await lamps.order('open');
    await lamps.order({ show: ['big', 'small'] });
    expect(await shiningZones(tree, kind)).toEqual(['big', 'small']);
    expect(await lamps.end('SIGTERM')).toBe(0);
    expect(await tree.lit()).toEqual([]);
    expect(await tree.exportedLines()).toEqual([]);
  });

  it('takes over the lines of a killed program without lighting anything else', async () => {
    tree = await startLampTree(kind, isActiveLow);
    const killed = start();
    await killed.order('open');
    await killed.order({ show: ['big'] });
    await killed.end('SIGKILL');
    running.delete(killed);
    expect(await shiningZones(tree, kind)).toEqual(['big']);
    await tree.forget();
    const next = start();
    expect(await next.order('open')).toEqual({ condition: 'ok', problems: [], lit: [] });
    expect(await tree.litHistory()).toEqual([[]]);
    await next.order({ show: ['small'] });
    expect(await shiningZones(tree, kind)).toEqual(['small']);
  });

  it('puts a line right that another program turned into an input, at the next refresh', async () => {
    tree = await startLampTree(kind, isActiveLow);
    const lamps = start();
    await lamps.order('open');
    await lamps.order({ show: ['big'] });
    await tree.turnIntoInput(kind === 'chain' ? piChip.base + 19 : piChip.base + 2);
    expect(await tree.lit()).toEqual([]);
    await vi.waitFor(async () => expect(await shiningZones(tree, kind)).toEqual(['big']), { timeout: 5_000, interval: 20 });
    expect(await lamps.order('report')).toEqual({ condition: 'ok', problems: [], lit: ['big'] });
  });

  it('takes a busy line as soon as it is free, without a restart', async () => {
    tree = await startLampTree(kind, isActiveLow, { faults: { exportErrors: { 525: 'EBUSY', 514: 'EBUSY' } } });
    const lamps = start(40);
    expect((await lamps.order('open')).condition).toBe(kind === 'chain' ? 'offline' : 'degraded');
    await lamps.order({ show: ['big'] });
    expect(await tree.lit()).toEqual([]);
    await tree.setFaults({});
    await vi.waitFor(async () => expect(await shiningZones(tree, kind)).toEqual(['big']), { timeout: 5_000, interval: 20 });
    expect(await lamps.order('report')).toEqual({ condition: 'ok', problems: [], lit: ['big'] });
  });
});

it('heals a bit of the chain that noise turned, at the next refresh', async () => {
  const tree = await startLampTree('chain', false);
  const lamps = startLampsProcess(tree.spawn, lampOptions('chain', false));
  await lamps.order('open');
  await lamps.order({ show: ['big'] });
  await tree.flip(9);
  expect(await shiningZones(tree, 'chain')).toEqual(['big', 'small']);
  await vi.waitFor(async () => expect(await shiningZones(tree, 'chain')).toEqual(['big']), { timeout: 5_000, interval: 20 });
  await lamps.end('SIGKILL');
  await tree.close();
});
