import { describe, expect, it } from 'vitest';
import { openTable } from './open-table.ts';

describe('looking at the dice again', () => {
  it('reads on fresh pictures when the first reading failed', async () => {
    const { table, until, untilEvent, reader, kinds } = await openTable();
    await until('reading');
    reader.kill();
    await untilEvent('readFailed');
    reader.revive();
    await until('result');
    expect(kinds().filter((kind) => kind === 'readOrdered')).toHaveLength(2);
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(1);
    expect(table.state.round?.result?.dice).toEqual([2, 4, 5]);
  });

  it('names the vision process as the cause when it died over the resting dice', async () => {
    const { until, reader, events } = await openTable();
    await until('reading');
    reader.kill();
    await until('held');
    expect(events().findLast(({ kind }) => kind === 'readFailed')).toMatchObject({ cause: 'vision-lost' });
  });

  it('does not throw the dice again when a reading was held and resumed at once', async () => {
    const { table, until, act, kinds } = await openTable();
    await until('reading');
    await act({ kind: 'hold', reason: 'look' });
    await act({ kind: 'resume' });
    await until('result');
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(1);
    expect(table.state.round?.result?.dice).toEqual([2, 4, 5]);
  });

  it('does not throw the dice again when the rest was held and resumed at once', async () => {
    const { until, act, kinds, clock } = await openTable();
    await until('settling');
    await clock.advance(100);
    await act({ kind: 'hold', reason: 'look' });
    await act({ kind: 'resume' });
    await until('result');
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(1);
  });

  it('blames bad pictures and not the dice when none shows them after the shake', async () => {
    const { table, until, tray, events, act, clock } = await openTable({ play: { unreadableThrow: 'void' } });
    await until('settling');
    tray.defect = 'black';
    await until('held');
    expect(events().filter(({ kind }) => kind === 'restFailed')).toEqual([
      expect.objectContaining({ cause: 'camera-lost' }),
      expect.objectContaining({ cause: 'camera-lost' }),
    ]);
    tray.defect = null;
    await clock.advance(10_000);
    await act({ kind: 'resume' });
    await until('result');
    expect(table.state.round?.attempts).toHaveLength(1);
  });

  it('still says that the dice move when good pictures show it to the end', async () => {
    const { until, untilEvent, tray, events } = await openTable();
    await until('settling');
    tray.isShaking = true;
    await untilEvent('restFailed');
    expect(events().findLast(({ kind }) => kind === 'restFailed')).toMatchObject({ cause: 'moving' });
  });

  it.each([
    ['settling', 'restFailed'],
    ['reading', 'readFailed'],
  ] as const)(
    'gives up within 2 s when the camera falls silent in the phase %s, and each attempt after it (CAM-08)',
    async (phase, failed) => {
      const { until, untilEvent, frames, events, clock } = await openTable({ play: { readAttemptsMax: 3 } });
      await until(phase);
      frames.setFault({ kind: 'silent' });
      const silentMs = clock.now().monoMs;
      await untilEvent(failed);
      expect(clock.now().monoMs - silentMs).toBeLessThan(1_700);
      expect(events().findLast(({ kind }) => kind === failed)).toMatchObject({ cause: 'camera-lost' });
      await until('held');
      expect(clock.now().monoMs - silentMs).toBeLessThan(3 * 1_700);
      expect(events().some(({ kind }) => kind === 'resultDeclared')).toBe(false);
    },
  );

  it('reads on by itself when a camera that fell silent over the resting dice is back after 4 s', async () => {
    const { table, until, frames, clock } = await openTable({ play: { readAttemptsMax: 3 } });
    await until('reading');
    frames.setFault({ kind: 'silent' });
    await clock.advance(4_000);
    frames.setFault(null);
    await until('result');
    expect(table.state.round?.attempts).toHaveLength(1);
  });

  it('takes a slow reader for no silent camera: it has the whole time of a reading', async () => {
    const { until, reader, clock, kinds } = await openTable();
    reader.pace = () => new Promise((resolve) => clock.after(900, resolve));
    await until('reading');
    const startMs = clock.now().monoMs;
    await until('result');
    expect(clock.now().monoMs - startMs).toBeGreaterThan(2_600);
    expect(kinds()).not.toContain('readFailed');
  });

  it('takes no value from dice that were moved between rest and reading', async () => {
    const { table, until, untilEvent, tray, reader, events } = await openTable();
    await until('reading');
    reader.kill();
    await untilEvent('readFailed');
    tray.shiftPx = 40;
    reader.revive();
    await untilEvent('throwVoided');
    expect(events().findLast(({ kind }) => kind === 'throwVoided')).toMatchObject({ cause: 'moving' });
    expect(events().some(({ kind }) => kind === 'resultDeclared')).toBe(false);
    tray.shiftPx = 0;
    await until('result');
    expect(table.state.round?.attempts).toHaveLength(2);
  });

  it('says too few tumbles were seen, not that the dice move, when the time to settle is short', async () => {
    const { until, untilEvent, tray, events } = await openTable({ play: { settleMsMax: 1_200 } });
    await until('shaking');
    tray.isMotionHidden = true;
    await untilEvent('throwVoided');
    expect(events().findLast(({ kind }) => kind === 'throwVoided')).toMatchObject({ cause: 'tumbles-not-seen' });
  });

  it('holds when the evidence cannot be written, and declares nothing', async () => {
    const { table, until, evidence, events, act } = await openTable();
    evidence.isUnwritable = true;
    await until('held');
    expect(table.state.hold?.cause).toBe('reads-exhausted');
    expect(events().some(({ kind }) => kind === 'resultDeclared')).toBe(false);
    evidence.isUnwritable = false;
    await act({ kind: 'resume' });
    await until('result');
  });

  it('waits for a camera that has thawed, and does not use up its readings before it is trusted again', async () => {
    const { table, until, untilEvent, frames, clock, events } = await openTable();
    frames.setFault({ kind: 'frozen' });
    await clock.advance(2_000);
    frames.setFault(null);
    await until('reading', 60_000);
    frames.setFault({ kind: 'frozen' });
    await clock.advance(300);
    frames.setFault(null);
    await untilEvent('resultDeclared');
    expect(events().some(({ kind }) => kind === 'roundHeld')).toBe(false);
    expect(table.state.round?.attempts).toHaveLength(1);
  });

  it('sees the tumbles through a camera without time stamps', async () => {
    const { table, until } = await openTable({ unstampedDelayMs: 400 });
    await until('result');
    expect(table.state.round?.attempts).toHaveLength(1);
  });

  it('counts no tumble of an earlier activation for the last', async () => {
    const { table, until, untilEvent, tray, shaker } = await openTable({ play: { shakeActivations: 2 } });
    shaker.onNotice((notice) => {
      if (notice.kind === 'activationStarted') tray.isMotionHidden = notice.activationNumber === 2;
    });
    await untilEvent('throwVoided');
    expect(table.state.round?.attempts[0]).toMatchObject({ fault: 'tumbles-not-seen', motionBurstCount: 0 });
    await until('shaking');
  });
});
