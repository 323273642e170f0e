import { expect, it } from 'vitest';
import { Findings } from './findings.ts';
import { runVisionKills } from './vision-kills.ts';

it('ends a round once and with nothing but what the dice show when the vision process is killed between DONE and the result (CAM-09)', async () => {
  const findings = new Findings();

  const places = await runVisionKills({ kills: 1, seed: 2 }, findings, () => {});

  expect(findings.problems, `journal is kept: ${places.folder}`).toEqual([]);
  places.remove();
  expect(findings.counts).toMatchObject({ rounds: 1, 'terminal records': 1 });
}, 120_000);
