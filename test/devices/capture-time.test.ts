import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CaptureTime } from '../../src/devices/capture-time.ts';

it('finds the time of capture although the camera clock is wrong by any amount', () => {
  const time = new CaptureTime();

  expect(time.capturedMonoMs(1_700_000_000_000, 5_020)).toBe(5_020);
  // The second picture was faster on its way by 15 ms, the third waited for 300 ms.
  expect(time.capturedMonoMs(1_700_000_000_100, 5_105)).toBe(5_105);
  expect(time.capturedMonoMs(1_700_000_000_200, 5_505)).toBeCloseTo(5_205, 0);
});

it('never takes a queue of five pictures for fresh ones in 500 rounds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ delayMs: fc.integer({ min: 2, max: 30 }), isQueued: fc.boolean() }), {
        minLength: 500,
        maxLength: 500,
      }),
      (rounds) => {
        const time = new CaptureTime();
        time.capturedMonoMs(1_000_000, 2);
        rounds.forEach(({ delayMs, isQueued }, index) => {
          const takenMs = (index + 1) * 10_000;
          const arrivedMs = takenMs + delayMs + (isQueued ? 5 * 67 : 0);
          const captured = time.capturedMonoMs(1_000_000 + takenMs, arrivedMs);
          expect(captured).toBeLessThanOrEqual(arrivedMs);
          // At most the way of the fastest picture and 200 ppm of the time since it.
          expect(captured - takenMs).toBeLessThan(2 + 0.0002 * takenMs + 1);
        });
      },
    ),
    { numRuns: 20 },
  );
});

it('begins anew with a camera whose clock was set while it was away', () => {
  const time = new CaptureTime();
  time.capturedMonoMs(1_000_000, 100);
  time.reconnected();

  expect(time.capturedMonoMs(50, 9_000)).toBe(9_000);
});

it('does not begin anew for a delay of some seconds after a reconnect', () => {
  const time = new CaptureTime();
  time.capturedMonoMs(1_000_000, 100);
  time.reconnected();

  expect(time.capturedMonoMs(1_001_000, 4_100)).toBeCloseTo(1_100.8, 3);
});
