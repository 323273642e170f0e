import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import type { Frame } from '../../src/ports/frame-source.ts';
import { silentLog } from '../../src/ports/log.ts';
import { WorkerDiceReader } from '../../src/vision/worker-dice-reader.ts';

const rigFolder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const clock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
const opened: WorkerDiceReader[] = [];

function reader(limits: { answerMsMax?: number; picturesMax?: number; rssMbMax?: number } = {}): WorkerDiceReader {
  const made = new WorkerDiceReader({
    calibrationFile: join(rigFolder, 'calibration.json'),
    clock,
    log: silentLog,
    answerMsMax: 20_000,
    openMsMax: 30_000,
    ...limits,
  });
  opened.push(made);
  return made;
}

function frame(frameNumber: number, jpeg: Buffer = readFileSync(join(rigFolder, 'rig-d_018.jpg'))): Frame {
  return { frameNumber, jpeg, arrivedMonoMs: frameNumber, capturedMonoMs: frameNumber, capturedWallMs: frameNumber };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.close()));
});

describe('the dice reader in a process of its own', () => {
  it('reads a picture and names the calibration', async () => {
    const made = reader();
    await made.open();

    expect((await made.read(frame(1))).reading).toMatchObject({ verdict: 'accepted', values: [3, 5, 6] });
    expect(made.calibrationId).toMatch(/^cal-/);
  });

  it('answers bad pictures with a refusal and goes on', async () => {
    const made = reader();
    await made.open();
    const bad: Buffer[] = [Buffer.alloc(0), Buffer.from([0xff, 0xd8, 0xff, 0xd9]), frame(1).jpeg.subarray(0, 9_000)];
    const causes: unknown[] = [];
    for (const jpeg of bad) causes.push((await made.read(frame(1, jpeg))).reading.cause);

    expect(causes).toEqual(['bad-frame', 'bad-frame', 'bad-frame']);
    expect((await made.read(frame(2))).reading.verdict).toBe('accepted');
    expect(made.counters.restarts).toBe(0);
  });

  it('misses a deadline with an error, starts another process and reads again', async () => {
    const made = reader({ answerMsMax: 1 });
    await made.open();

    await expect(made.read(frame(1))).rejects.toMatchObject({ code: 'vision.timed-out' });
    await vi.waitUntil(() => made.counters.restarts === 1, { timeout: 20_000 });
    expect(made.counters.deadlinesMissed).toBe(1);
  });

  it('replaces the process after its number of pictures', async () => {
    const made = reader({ picturesMax: 2 });
    const notices: string[] = [];
    made.onNotice((notice) => notices.push(notice.kind));
    await made.open();
    await made.read(frame(1));
    await made.read(frame(2));

    await vi.waitUntil(() => notices.join() === 'up,down,up', { timeout: 20_000 });
    expect((await made.read(frame(3))).reading.verdict).toBe('accepted');
  });

  it('says what is wrong with a calibration that is missing', async () => {
    const made = new WorkerDiceReader({ calibrationFile: '/nowhere/calibration.json', clock, log: silentLog });
    opened.push(made);

    await expect(made.open()).rejects.toMatchObject({ code: 'calibration.unreadable' });
  });
});
