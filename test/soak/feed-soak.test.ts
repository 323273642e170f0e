import { expect, it } from 'vitest';
import { runFeedSoak } from './feed-soak.ts';
import { Findings } from './findings.ts';

it('serves good listeners without a gap beside bad ones, through a time of silence, and after a kill while all come back (NET-01)', async () => {
  const findings = new Findings();
  const sample = { records: 200, listeners: 20, proxyIdleMs: 1_200, quietMs: 2_000, heartbeatMs: 500, seed: 4 };

  const places = await runFeedSoak(sample, findings, () => {});

  expect(findings.problems, `journal is kept: ${places.folder}`).toEqual([]);
  places.remove();
  expect(findings.counts).toMatchObject({
    'listeners at the start': 28,
    'connections lost by good listeners': 0,
    'cut by the proxy': 0,
  });
  expect(findings.counts.results).toBeGreaterThan(15);
}, 120_000);
