import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isClockSynchronised } from '../../src/devices/clock-synchronised.ts';

it('believes the wall clock once any time service says that it was set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-clock-'));
  const files = [join(folder, 'synchronized'), join(folder, 'other-service')];

  expect(isClockSynchronised(files)).toBe(false);
  writeFileSync(join(folder, 'other-service'), '');
  expect(isClockSynchronised(files)).toBe(true);

  rmSync(folder, { recursive: true });
});
