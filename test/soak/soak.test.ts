import { expect, it } from 'vitest';
import { Findings } from './findings.ts';
import { runSoak } from './soak.ts';

const soakOf = (kills: number, findings: Findings) =>
  runSoak(
    {
      kills,
      seed: 20,
      reader: 'sim',
      speed: 2,
      listeners: 8,
      frameRate: 10,
      say: () => {},
      signal: new AbortController().signal,
    },
    findings,
  );

it('loses, changes and doubles nothing that anybody saw when the daemon is killed at 10 moments, and shakes nothing by the restart', async () => {
  const findings = new Findings();

  const places = await soakOf(10, findings);

  expect(findings.problems, `journal, evidence and log are kept: ${places.folder}`).toEqual([]);
  places.remove();
  const { counts } = findings;
  expect(counts.starts).toBe(11);
  expect(counts['sicbo verify']).toBe(1);
  expect(counts.roundSettled).toBeGreaterThan(0);
  expect(counts['motor runs']).toBeGreaterThan(0);
  expect(counts['feed resumes']).toBeGreaterThan(10);
  expect(counts['HTTP answers']).toBeGreaterThan(50);
}, 240_000);
