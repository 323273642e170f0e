import { expect, it } from 'vitest';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import type { FrameNotice } from '../../src/ports/frame-source.ts';
import { frameSourceContract, framesOf, raised } from '../contracts/frame-source-contract.ts';
import { VirtualClock } from '../virtual-clock.ts';

frameSourceContract('SimFrames', async () => {
  const clock = new VirtualClock();
  const source = new SimFrames({ clock });
  return {
    source,
    until: (isReached) => clock.advanceUntil(isReached, 10_000),
    pass: () => clock.advance(1_000),
    setSending: async (isSending) => source.setFault(isSending ? null : { kind: 'silent' }),
    close: async () => undefined,
  };
});

it('shows pictures of a queue of five as taken five pictures before they arrive', async () => {
  const clock = new VirtualClock();
  const source = new SimFrames({ clock, frameRate: 10 });
  source.open();
  await clock.advance(1_000);
  source.setFault({ kind: 'stale', frameCount: 5 });
  await clock.advance(1_000);

  expect(source.latest).toMatchObject({ arrivedMonoMs: 2_000, capturedMonoMs: 1_500 });
  await source.close();
});

it('raises camera.frozen after five byte-identical pictures', async () => {
  const clock = new VirtualClock();
  const source = new SimFrames({ clock, frameRate: 10 });
  const notices: FrameNotice[] = [];
  source.onNotice((notice) => notices.push(notice));
  source.open();
  await clock.advance(300);
  source.setFault({ kind: 'frozen' });
  await clock.advance(400);
  expect(raised(notices, 'camera.frozen')).toBe(0);
  await clock.advance(100);
  expect(raised(notices, 'camera.frozen')).toBe(1);
  expect(framesOf(notices)).toHaveLength(3);

  source.setFault(null);
  await clock.advance(100);

  expect(notices.at(-2)).toEqual({ kind: 'faultCleared', fault: 'camera.frozen' });
  await source.close();
});
