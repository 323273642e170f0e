import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildAvrFirmware, buildHostProgram } from '../../hardware-sim/avr-build.ts';
import { productRoot } from '../../src/product-root.ts';
import { FirmwarePair, happenings } from './differential.ts';

const run = promisify(execFile);
/** `DIFFER_LINES=100000 npx vitest run --config test/vitest.config.ts test/firmware-protocol/reference-firmware.test.ts` for the long run. */
const lineCount = Number(process.env.DIFFER_LINES ?? 3_000);
const seed = Number(process.env.DIFFER_SEED ?? 1);

it('passes its own tests of protocol, memory, sensors and state machine on this machine', async () => {
  const { stdout } = await run(await buildHostProgram('host-tests'), [join(productRoot, 'firmware-protocol', 'golden.txt')]);
  console.info(stdout.trim());
  expect(stdout).toContain('golden lines: 10 read, 52 written, 115 refused');
  expect(stdout).toMatch(/\n20 passed\n$/);
}, 120_000);

it('fits an ATmega328P with a quarter of its memory to spare', async () => {
  const { elf } = await buildAvrFirmware();
  const { stdout } = await run('avr-size', [elf]);
  const [text = 0, data = 0, bss = 0] = (stdout.split('\n')[1] ?? '').trim().split(/\s+/).map(Number);
  console.info(
    `reference firmware: ${text + data} of 32768 bytes of flash, ${data + bss} of 2048 bytes of RAM without the stack`,
  );
  expect(text).toBeGreaterThan(4_000);
  expect(text + data).toBeLessThan(0.75 * 32_768);
  expect(data + bss).toBeLessThan(0.75 * 2_048);
}, 120_000);

it('is clean by cppcheck', async () => {
  await run('make', ['-C', join(productRoot, 'firmware-protocol', 'reference'), 'lint']);
}, 120_000);

it(`answers ${lineCount} lines as the firmware model does, damaged ones among them`, async () => {
  const pair = new FirmwarePair(await buildHostProgram('differ'));
  const verbs: Record<string, number> = {};
  let sentCount = 0;
  try {
    const start = await pair.started();
    expect(start.reference).toEqual(start.model);
    const next = happenings(seed);
    for (let step = 0; sentCount < lineCount; step += 1) {
      const happening = next();
      if (happening.kind === 'bytes') sentCount += 1;
      const { model, reference } = await pair.meet(happening);
      expect({ step, happening, said: reference }).toEqual({ step, happening, said: model });
      for (const line of model) {
        const verb = / (?:boot=\d+) (\S+(?: cause=\S+)?)/.exec(line)?.[1] ?? '';
        verbs[verb] = (verbs[verb] ?? 0) + 1;
      }
    }
  } finally {
    await pair.close();
  }
  console.info(`${sentCount} lines, the same answers: ${JSON.stringify(verbs)}`);
  // A comparison of silences would prove nothing.
  for (const verb of [
    'shake',
    'cover',
    'status',
    'last',
    'tumble',
    'settled',
    'ended',
    'jam',
    'tamper',
    'lid',
    'supply',
    'stop',
    'clear',
  ]) {
    expect(verbs[verb]).toBeGreaterThan(5);
  }
  for (const cause of [
    'no-session',
    'protocol',
    'busy',
    'old-order',
    'too-late',
    'out-of-range',
    'lid-open',
    'jammed',
    'tamper',
  ]) {
    expect(verbs[`refused cause=${cause}`]).toBeGreaterThan(3);
  }
}, 3_000_000);
