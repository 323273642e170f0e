import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** How often the process of a reader came up. */
const upCounts = new Map<WorkerDiceReader, number>();

function reader(
  limits: { answerMsMax?: number; picturesMax?: number; rssMbMax?: number; calibrationFile?: string } = {},
): WorkerDiceReader {
  const made = new WorkerDiceReader({
    calibrationFile: join(rigFolder, 'calibration.json'),
    clock,
    log: silentLog,
    answerMsMax: 20_000,
    openMsMax: 30_000,
    ...limits,
  });
  opened.push(made);
  made.onNotice(({ kind }) => kind === 'up' && upCounts.set(made, (upCounts.get(made) ?? 0) + 1));
  return made;
}

/** True once its process answers again. */
function isAnswering(made: WorkerDiceReader): boolean {
  return upCounts.get(made) === 2;
}

/** Vision processes that this process has started and that still run. */
function visionProcessCount(): number {
  return readdirSync('/proc').filter((id) => {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
      return Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('vision-process');
    } catch {
      return false;
    }
  }).length;
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

  it('keeps the calibration of its start when another is activated meanwhile, also in a process that replaces a lost one', async () => {
    const calibrationFile = join(mkdtempSync(join(tmpdir(), 'pinned-')), 'calibration.json');
    const text = readFileSync(join(rigFolder, 'calibration.json'), 'utf8');
    writeFileSync(calibrationFile, text);
    const made = reader({ calibrationFile, picturesMax: 1 });
    await made.open();
    const { calibrationId } = made;
    writeFileSync(calibrationFile, JSON.stringify({ ...(JSON.parse(text) as object), id: 'cal-of-tomorrow' }));
    await made.read(frame(1));
    await vi.waitUntil(() => made.counters.restarts === 1 && isAnswering(made), { timeout: 20_000 });

    expect(made.calibrationId).toBe(calibrationId);
    expect(calibrationId).not.toBe('cal-of-tomorrow');
    expect((await made.read(frame(2))).reading).toMatchObject({ verdict: 'accepted', values: [3, 5, 6] });
  });

  it('leaves no process behind when the calibration is of no use, however often it is tried', async () => {
    const calibrationFile = join(mkdtempSync(join(tmpdir(), 'useless-')), 'calibration.json');
    writeFileSync(calibrationFile, '{}');
    const made = reader({ calibrationFile });
    for (let turn = 0; turn < 2; turn += 1) await expect(made.open()).rejects.toMatchObject({ code: 'calibration.invalid' });

    await vi.waitUntil(() => visionProcessCount() === 0, { timeout: 10_000 });
  });
});
