import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeDeviceLine, decodeRequest, encodeDeviceLine, encodeRequest } from '../../firmware-protocol/codec.ts';
import { crc16 } from '../../firmware-protocol/crc16.ts';
import { LineReader } from '../../firmware-protocol/line-reader.ts';
import { blankMemory } from '../../hardware-sim/firmware-memory.ts';
import { FirmwareModel } from '../../hardware-sim/firmware-model.ts';
import { evenTumbles } from '../../hardware-sim/shaker-physics.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { type Happening, happenings } from './differential.ts';
import { goldenLines } from './golden-lines.ts';

/** `FUZZ_SECONDS=600 npx vitest run --config test/vitest.config.ts test/firmware-protocol/fuzz.test.ts` for the long run, half of it for each test. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 4);
const limits = { interruptAfterTimeLimit: seconds * 500, numRuns: 100_000_000, markInterruptAsFailure: false } as const;

const golden = goldenLines();
/** A body with length and CRC that fit, so that damage reaches the grammar. */
const framed = (body: Buffer): Buffer => {
  const checked = Buffer.concat([body, Buffer.from(`*${hex(body.length & 0xff, 2)}`)]);
  return Buffer.concat([checked, Buffer.from(hex(crc16(checked), 4))]);
};
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
/** Golden lines that were cut, mixed and sprinkled with bytes. */
const mutant = fc
  .tuple(
    fc.constantFrom(...golden),
    fc.constantFrom(...golden),
    fc.nat(127),
    fc.nat(127),
    fc.array(fc.tuple(fc.nat(127), fc.nat(255)), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([one, other, cutAt, joinAt, changes, isFramed]) => {
    const body = (bytes: Buffer): Buffer => (isFramed ? bytes.subarray(0, -7) : bytes);
    const mixed = Buffer.concat([body(one.bytes).subarray(0, cutAt), body(other.bytes).subarray(joinAt)]);
    for (const [at, value] of changes) if (at < mixed.length) mixed[at] = value;
    return isFramed ? framed(mixed) : mixed;
  });
const anyBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

it(
  `never throws at a line, keeps at most 128 bytes of it, and takes none that its meaning would not be written as (${seconds / 2} s)`,
  () => {
    let count = 0;
    let takenCount = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: mutant }, { weight: 1, arbitrary: anyBytes }), (bytes) => {
        count += 1;
        const reader = new LineReader(decodeRequest, (decoded, line) => {
          if (decoded.kind !== 'message') return;
          takenCount += 1;
          expect(encodeRequest(decoded.message)).toEqual(Buffer.concat([line, Buffer.from('\n')]));
        });
        reader.push(bytes);
        expect(reader.pendingBytes().length).toBeLessThanOrEqual(128);
        reader.push(Buffer.from('\n'));
        const decoded = decodeDeviceLine(bytes);
        if (decoded.kind !== 'message') return;
        takenCount += 1;
        expect(encodeDeviceLine(decoded.message)).toEqual(Buffer.concat([bytes, Buffer.from('\n')]));
      }),
      limits,
    );
    console.info(`codec: ${count} lines in ${seconds / 2} s, ${takenCount} taken`);
    expect(takenCount).toBeGreaterThan(count / 100);
  },
  seconds * 2_000 + 30_000,
);

it(
  `keeps the firmware model whole and still when it must be, whatever happens (${seconds / 2} s)`,
  async () => {
    let count = 0;
    let motionCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(fc.oneof(mutant, anyBytes), { maxLength: 10 }), async (seed, strange) => {
        const clock = new VirtualClock();
        const memory = blankMemory();
        const send = (line: Buffer): void => {
          const decoded = decodeDeviceLine(line.subarray(0, -1));
          expect(decoded.kind).toBe('message');
        };
        const model = new FirmwareModel({ clock, memory, onActivation: evenTumbles, send });
        const next = happenings(seed);
        let lid: 'open' | 'closed' = 'closed';
        for (let step = 0; step < 60; step += 1) {
          count += 1;
          const extra = strange[step % 20];
          if (extra !== undefined) model.receive(extra);
          const happening = next();
          if (happening.kind === 'lid') lid = happening.isOpen ? 'open' : 'closed';
          await happen(model, clock, happening);
          if (model.isMotorOn) {
            expect(lid).toBe('closed');
            expect(memory.last.outcome).toBe('running');
          }
          expect(clock.timerCount).toBeLessThan(20);
        }
        motionCount += model.motionCount;
        // Nobody asks any more: all stands within the quiet time.
        await clock.advance(2_500);
        expect(model.isMotorOn).toBe(false);
        model.powerOff();
        expect(clock.timerCount).toBe(0);
      }),
      limits,
    );
    console.info(`model: ${count} happenings in ${seconds / 2} s, ${motionCount} motions`);
    expect(motionCount).toBeGreaterThan(count / 1_000);
  },
  seconds * 2_000 + 30_000,
);

async function happen(model: FirmwareModel, clock: VirtualClock, happening: Happening): Promise<void> {
  switch (happening.kind) {
    case 'bytes':
      model.receive(happening.bytes);
      return;
    case 'passes':
      await clock.advance(happening.ms);
      return;
    case 'lid':
      model.setLid(happening.isOpen ? 'open' : 'closed');
      return;
    case 'supply':
      model.setSupply(happening.isLow ? 'low' : 'ok');
      return;
    case 'cover':
      model.setCover(happening.isOpen ? 'open' : 'closed');
      return;
    case 'stall':
      model.jam();
      return;
    case 'tamper':
      model.tamper();
      return;
    case 'restart':
      await clock.advance(3_000);
      return;
    default:
      happening satisfies never;
  }
}
