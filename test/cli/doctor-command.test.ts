import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CameraPictures } from '../../hardware-sim/camera-pictures.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import type { SqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { calibrationOfTests, picturesAtRest } from '../demo-camera.ts';
import { roundEvents } from '../journal/journal-events.ts';
import { about, type DoctorBench, doctorBench } from './doctor-bench.ts';
import { runCaptured } from './run-captured.ts';

let calibrationFile = '';
let pictures: CameraPictures;
let bench: DoctorBench;

beforeAll(async () => {
  calibrationFile = await calibrationOfTests();
  pictures = await picturesAtRest();
}, 240_000);

beforeEach(async () => {
  bench = await doctorBench(calibrationFile, pictures);
});

afterEach(async () => {
  await bench.close();
});

function openTableJournal(tableId = 'table-1'): SqliteJournal {
  return openJournal({
    journalPath: join(bench.folder, 'journal/journal.sqlite'),
    anchorFolder: join(bench.folder, 'anchor'),
    tableId,
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: 1_700_000_000_000, monoMs: 0 },
  });
}

/** A journal of two settled rounds. */
function play(tableId?: string): void {
  const journal = openTableJournal(tableId);
  for (const number of [1, 2]) {
    journal.append(roundEvents(`table-1-abc-00000${number}`, number, []), { wallMs: 1_700_000_000_000, monoMs: number });
  }
  journal.close();
}

/** A machine busy with other tests may be too slow for a reading, and the doctor is right to say so: then it is asked again. */
async function examinedInPeace(): ReturnType<DoctorBench['examine']> {
  for (let attempt = 1; attempt < 5; attempt += 1) {
    const answer = await bench.examine();
    const problems = answer.findings.filter(({ verdict }) => verdict === 'problem');
    if (problems.length === 0 || problems.some(({ check }) => check !== 'reading')) return answer;
  }
  return bench.examine();
}

it('finds nothing to complain of in a table in which all is well, and leaves no device open', { timeout: 120_000 }, async () => {
  play();

  const { exitCode, isReady, findings } = await examinedInPeace();

  expect(findings.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect({ exitCode, isReady }).toEqual({ exitCode: 0, isReady: true });
  expect(findings.map(({ check }) => check)).toEqual([
    'node',
    'configuration',
    'clock',
    'journal folder',
    'disk',
    'anchor folder',
    'evidence folder',
    'journal',
    'api port',
    'shaker port',
    // The terminal simulator keeps the line open too.
    'shaker line',
    'shaker',
    'shaker condition',
    'calibration',
    'camera',
    'camera rate',
    'camera age',
    'camera size',
    'vision',
    'picture',
    'reading',
    'lamps',
  ]);
  expect(about(findings, 'shaker')[0]?.detail).toMatch(/^SIM-1, firmware .+, protocol 1, start 1$/);
  expect(about(findings, 'camera size')[0]?.detail).toMatch(/^\d+ x \d+ px, as calibrated$/);
  expect(about(findings, 'reading')[0]?.detail).toMatch(/ms a picture.*the newest: reads [1-6] [1-6] [1-6]$/);
  // The shaker and the camera can be had again: the second visit finds them as free as the first.
  expect((await examinedInPeace()).exitCode).toBe(0);
});

it('prints a line for each finding as it comes and a sum at the end', async () => {
  const { lines } = await runCaptured(`doctor --config ${bench.configFile}`);

  expect(lines[0]).toBe(`Checking table table-1 of ${bench.configFile}; at most 30 s.`);
  expect(lines).toContain('ok       shaker condition  lid closed, supply good, no jam, no tamper');
  expect(lines.at(-1)).toMatch(
    /^\d+ problems?, \d+ warnings?, \d+ good, in \d+\.\d s\. (Nothing hinders the table|The table cannot play like this)\.$/,
  );
});

it('says which keys are wrong when the configuration is, and looks at no device', async () => {
  writeFileSync(bench.configFile, '[table]\nid = "table-1"\nname = "Table 1"\nhouse = "live"\n');

  const { exitCode, out, err } = await runCaptured(`doctor --config ${bench.configFile}`);

  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain('shaker.path');
  expect(bench.camera.counters.connections).toBe(0);
});

it('names everything that is broken at once', async () => {
  play();
  const db = new Database(join(bench.folder, 'journal/journal.sqlite'));
  for (const name of ['events_never_change', 'events_never_go']) db.exec(`DROP TRIGGER ${name}`);
  db.exec("UPDATE events SET body = replace(body, '1', '2') WHERE record_number = 5");
  db.close();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await bench.camera.close();
  writeFileSync(join(bench.folder, 'evidence'), 'a file where a folder must be');
  const lamps =
    'kind = "chain-74hc595"\nchipLabel = "no-such-chip"\ndataLine = 1\nclockLine = 2\nlatchLine = 3\noutputEnableLine = 4';
  bench.configure({ shakerPath: join(bench.folder, 'nothing'), port, lamps });

  const { exitCode, isReady, findings } = await bench.examine();
  other.close();

  expect({ exitCode, isReady }).toEqual({ exitCode: 1, isReady: false });
  const problems = findings.filter(({ verdict }) => verdict === 'problem');
  expect(problems.map(({ check }) => check)).toEqual([
    'evidence folder',
    'journal',
    'api port',
    'shaker port',
    'camera',
    'lamp chip',
  ]);
  expect(problems.every(({ advice }) => advice !== null)).toBe(true);
  expect(about(findings, 'journal')[0]?.detail).toContain('record 5: hash-mismatch');
  expect(about(findings, 'api port')[0]?.detail).toBe(`port ${port} of 127.0.0.1 is taken`);
  expect(about(findings, 'camera')[0]?.detail).toContain('ECONNREFUSED');
});

it('asks a table that runs and leaves its devices alone', async () => {
  const journal = openTableJournal();
  const running = createServer((request, response) => {
    const health = {
      status: 'blocked',
      phase: 'closed',
      head: { recordNumber: 12, hash: '0'.repeat(64) },
      standingFaults: [{ code: 'camera.offline', isBlocking: true }],
      devices: [
        { device: 'shaker', isUp: true, detail: 'SIM-1', firstFaultMs: null, lastFaultMs: null, counters: {} },
        { device: 'camera', isUp: false, detail: 'camera.offline: silent', firstFaultMs: 1, lastFaultMs: 1, counters: {} },
      ],
      refusedCounts: {},
      feed: {},
    };
    response.end(JSON.stringify(request.url === '/healthz' ? { status: 'blocked', phase: 'closed' } : health));
  }).listen(0, '127.0.0.1');
  await once(running, 'listening');
  bench.configure({ port: (running.address() as AddressInfo).port });

  // The lock of the journal is the kernel's, by process: only another process can see that it is taken.
  const child = spawn(process.execPath, ['dist/src/cli/sicbo.js', 'doctor', '--json', '--config', bench.configFile]);
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [exitCode] = await once(child, 'close');
  running.close();
  journal.close();

  const { findings } = JSON.parse(out);
  expect(exitCode).toBe(1);
  expect(about(findings, 'table')[0]).toMatchObject({
    verdict: 'problem',
    detail: expect.stringContaining('status blocked, record 12'),
  });
  expect(about(findings, 'shaker')[0]).toMatchObject({ verdict: 'ok', detail: 'SIM-1' });
  expect(about(findings, 'camera')[0]).toMatchObject({ verdict: 'problem', detail: 'camera.offline: silent' });
  expect(bench.camera.counters.connections).toBe(0);
});
