import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TriggerBench } from './trigger.ts';
import { triggers } from './trigger-list.ts';
import { TriggerRig } from './trigger-rig.ts';
import { sampleCalibrations, sampleRigs } from './trigger-rigs.ts';

describe('a sample of each field failure of dice recognition', () => {
  const rigs: TriggerRig[] = [];

  beforeAll(async () => {
    for (const plan of sampleRigs) rigs.push(await TriggerRig.open(plan, sampleCalibrations));
  });

  afterAll(() => {
    for (const rig of rigs) rig.close();
  });

  it.each(triggers.map((trigger) => [trigger.id, trigger.title, trigger] as const))(
    'is read right or refused, never wrong: %s, %s',
    async (_id, _title, trigger) => {
      const bench = new TriggerBench(rigs, trigger.sampleCount, null);

      await trigger.run(bench);

      expect(bench.wrong).toEqual([]);
      expect(bench.claims.filter(({ holds }) => !holds)).toEqual([]);
      const tallies = [...bench.classes.values()];
      expect(tallies.reduce((sum, { right, refused }) => sum + right + refused, 0)).toBeGreaterThanOrEqual(trigger.sampleCount);
    },
    120_000,
  );
});
