import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import type { HealthView } from '../../src/api/views.ts';
import { checkCalibrationAtWork } from '../../src/doctor/check-calibration.ts';
import { checkRunningTable } from '../../src/doctor/check-running-table.ts';
import type { Finding } from '../../src/doctor/finding.ts';

let server: Server | null = null;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const device = (name: string, isUp: boolean) => ({
  device: name,
  isUp,
  detail: isUp ? 'good' : 'bad',
  firstFaultMs: null,
  lastFaultMs: null,
  counters: {},
});

/** What is said of a table that answers like this; null: it never answers. */
async function asked(health: Partial<HealthView> | null): Promise<readonly Finding[]> {
  const whole = {
    status: 'ok',
    phase: 'betting',
    head: { recordNumber: 12, hash: '0'.repeat(64) },
    standingFaults: [],
    devices: [device('shaker', true), device('clock', false)],
    refusedCounts: {},
    feed: {},
    ...health,
  };
  const started = createServer((_request, response) => {
    if (health !== null) response.end(JSON.stringify(whole));
  });
  server = started;
  await new Promise<void>((isListening) => started.listen(0, '127.0.0.1', () => isListening()));
  return checkRunningTable({ host: '0.0.0.0', port: (started.address() as AddressInfo).port });
}

it('says that a table plays, and leaves the clock to its own check', async () => {
  expect(await asked({})).toMatchObject([
    { check: 'table', verdict: 'ok', detail: expect.stringContaining('phase betting, status ok, record 12') },
    { check: 'shaker', verdict: 'ok', detail: 'good' },
  ]);
});

it('says that a held table waits for a person', async () => {
  expect((await asked({ phase: 'held' }))[0]).toMatchObject({
    verdict: 'warning',
    advice: 'the table waits for a person: a supervisor resumes or voids the round',
  });
});

it('tells a fault that stops the game from one that does not', async () => {
  const findings = await asked({
    status: 'blocked',
    standingFaults: [
      { code: 'camera.offline', isBlocking: true },
      { code: 'lamps.degraded', isBlocking: false },
    ],
    devices: [device('camera', false), device('lamps', false)],
  });

  expect(findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    'table problem',
    'camera problem',
    'lamps warning',
  ]);
});

it('does not wait longer than two seconds for a table that gives no answer', async () => {
  expect(await asked(null)).toMatchObject([
    { check: 'table', verdict: 'problem', detail: expect.stringContaining('within 2000 ms') },
  ]);
});

describe('the calibration file beside a table that plays', () => {
  const fixture = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d', 'calibration.json');
  const { id } = readProfile(fixture);
  const said = (detail: string): readonly Finding[] => [{ check: 'vision', verdict: 'ok', detail, advice: null }];

  it('is not mentioned while the table reads with it, or with none', () => {
    expect(checkCalibrationAtWork(fixture, said(`calibration ${id}`))).toEqual([]);
    expect(checkCalibrationAtWork(fixture, said('calibration none'))).toEqual([]);
  });

  it('is told when another one has been activated since the table started', () => {
    expect(checkCalibrationAtWork(fixture, said('calibration cal-of-yesterday'))).toMatchObject([
      { verdict: 'warning', detail: `the table reads with cal-of-yesterday, the one of its start; ${fixture} holds ${id} since` },
    ]);
  });

  it('is a problem when it is gone: the table would not read after its next start', () => {
    expect(checkCalibrationAtWork('/nowhere/calibration.json', said('calibration cal-of-yesterday'))).toMatchObject([
      { check: 'calibration', verdict: 'problem' },
    ]);
  });
});
