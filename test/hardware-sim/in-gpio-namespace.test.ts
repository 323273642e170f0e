import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gpioSimulationObstacle, spawnInGpioNamespace } from '../../hardware-sim/in-gpio-namespace.ts';
import { litPlainLines, writePlainGpioTree } from '../../hardware-sim/plain-gpio-tree.ts';
import { type LampsProcess, lampOptions, piChip, startLampsProcess } from '../devices/gpio-lamps-process.ts';

describe('a program that sees a folder of plain files as its GPIO lines', () => {
  let folder: string;
  let lamps: LampsProcess;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sicbo-gpio-'));
    await writePlainGpioTree(folder, piChip);
    lamps = startLampsProcess(
      (command, args, options) => spawnInGpioNamespace(folder, command, args, options),
      lampOptions('direct', true),
    );
  });
  afterEach(async () => {
    await lamps.end('SIGKILL');
    await rm(folder, { recursive: true });
  });

  it('lights lamps that show from outside, and ends dark on the signal sent to the child', async () => {
    const lines = [514, 521, 527];
    expect(await lamps.order('open')).toEqual({ condition: 'ok', problems: [], lit: [] });
    expect(await litPlainLines(folder, lines, 0)).toEqual([]);
    await lamps.order({ show: ['big', 'total-4'] });
    expect(await litPlainLines(folder, lines, 0)).toEqual([514, 527]);
    expect(await lamps.end('SIGTERM')).toBe(0);
    expect(await litPlainLines(folder, lines, 0)).toEqual([]);
  });
});

it('names no obstacle where these tests run', () => {
  expect(gpioSimulationObstacle()).toBe(null);
});
