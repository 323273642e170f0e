import { describe, expect, it } from 'vitest';
import type { SceneMeasures } from '../../src/core/judging/scene-measures.ts';
import { openTable } from './open-table.ts';

const die = { sharpnessRatio: 1, spacingRatio: 1, bodyRatio: [1, 1, 1] } as const;
const calibrated: SceneMeasures = { gain: [1, 1, 1], unevenness: 0.04, displacementEdges: 0.001, dice: [die, die, die] };

describe('a table that leaves its calibration', () => {
  it('warns of drifting light while it plays on, and takes the warning back', async () => {
    const { table, reader, events, untilEvent } = await openTable();
    reader.scene = { ...calibrated, gain: [0.8, 0.8, 0.8] };
    while (!table.standingFaults.includes('camera.drifting')) await untilEvent('roundSettled');
    // At least twelve readings, several a round.
    expect(events().filter(({ kind }) => kind === 'roundSettled').length).toBeLessThan(10);
    expect(events()).toContainEqual(
      expect.objectContaining({ kind: 'faultRaised', fault: 'camera.drifting', detail: expect.stringContaining('80.0 %') }),
    );
    const camera = table.health().find(({ device }) => device === 'camera');
    expect(camera).toMatchObject({ isUp: false, counters: { lightPermille: 800, sharpnessPermille: 1_000 } });
    await untilEvent('roundSettled');

    reader.scene = calibrated;
    while (table.standingFaults.includes('camera.drifting')) await untilEvent('roundSettled');
    expect(table.health().find(({ device }) => device === 'camera')?.isUp).toBe(true);
  });

  it('plays no more with dice of another size until it is calibrated again', async () => {
    const { table, reader, clock, events } = await openTable();
    const larger = { ...die, spacingRatio: 1.03 };
    reader.scene = { ...calibrated, dice: [larger, larger, larger] };
    for (let k = 0; k < 60 && !table.standingFaults.includes('camera.not-calibrated'); k += 1) await clock.advance(5_000);

    expect(events()).toContainEqual(
      expect.objectContaining({
        kind: 'faultRaised',
        fault: 'camera.not-calibrated',
        detail: expect.stringContaining('103.0 % as large'),
      }),
    );
    await clock.advance(30_000);
    const count = events().filter(({ kind }) => kind === 'roundOpened').length;
    await clock.advance(60_000);
    expect(table.standingFaults).toContain('camera.not-calibrated');
    expect(events().filter(({ kind }) => kind === 'roundOpened')).toHaveLength(count);
  });
});
