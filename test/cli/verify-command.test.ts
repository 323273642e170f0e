import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TableEvent } from '../../src/core/round/events.ts';
import { EvidenceFiles } from '../../src/journal/evidence-files.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { setJournalAside } from '../../src/journal/set-aside-journal.ts';
import { productRoot } from '../../src/product-root.ts';
import { roundEvents } from '../journal/journal-events.ts';
import { runCaptured } from './run-captured.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sicbo-verify-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const places = () => ({ journalPath: join(folder, 'table.db'), anchorFolder: join(folder, 'anchor') });
const line = () => `verify --journal ${folder}/table.db --anchor ${folder}/anchor --evidence ${folder}/evidence`;

const started: TableEvent = {
  kind: 'tableStarted',
  bootId: 'boot-a',
  softwareVersion: '0.1.0',
  configSha256: '0'.repeat(64),
  houseSha256: 'f0'.repeat(32),
  isClockSynchronised: true,
  isAfterCrash: false,
};

function open() {
  return openJournal({
    ...places(),
    tableId: 'table-1',
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: 1_700_000_000_000, monoMs: 0 },
  });
}

/** A journal of a start and three settled rounds with a picture each; 35 records. */
function play(): void {
  const journal = open();
  const evidence = new EvidenceFiles(join(folder, 'evidence'), 1);
  const created = journal.read(0, 1)[0]?.event;
  const journalId = created?.kind === 'journalCreated' ? created.journalId : '';
  journal.append([started], { wallMs: 1_700_000_000_000, monoMs: 0 });
  for (let number = 1; number <= 3; number += 1) {
    const picture = evidence.keep(Buffer.from(`picture ${number}`));
    const roundId = `table-1-${journalId}-00000${number}`;
    journal.append(roundEvents(roundId, number, [picture]), { wallMs: 1_700_000_000_000 + number, monoMs: number });
  }
  journal.close();
}

function tamper(statement: string): void {
  const db = new Database(places().journalPath);
  for (const name of ['events_never_change', 'events_never_go']) db.exec(`DROP TRIGGER ${name}`);
  db.exec(statement);
  db.close();
}

it('says that a sound journal is sound, with what it holds', async () => {
  play();

  const { exitCode, lines, err } = await runCaptured(line());

  expect(lines.at(-1)).toBe('The journal is sound.');
  expect(lines).toContain('records   35 sound, 3 rounds opened, 3 ended');
  expect(lines).toContain('evidence  3 pictures sound, 0 of old rounds pruned');
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
});

it('names the edited record and fails', async () => {
  play();
  tamper("UPDATE events SET body = replace(body, '[1,4,6]', '[1,4,5]') WHERE record_number = 12");

  const { exitCode, out } = await runCaptured(line());

  expect(out).toMatch(/DAMAGED {3}record 12: hash-mismatch/);
  expect(exitCode).toBe(1);
});

it('answers in JSON', async () => {
  play();
  tamper('DELETE FROM events WHERE record_number > 30');

  const { exitCode, lines } = await runCaptured(`${line()} --json`);

  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    isSound: false,
    recordCount: 30,
    roundCount: 3,
    endedRoundCount: 2,
    tableId: 'table-1',
    head: { recordNumber: 30 },
    anchor: { recordNumber: 35 },
    damages: [{ recordNumber: 31, cause: 'cut-below-anchor' }],
  });
  expect(exitCode).toBe(1);
});

it('names a record that breaks a rule of the round although its hash is right', async () => {
  play();
  const journal = open();
  const roundId = journal.endedRounds(1)[0] ?? '';
  journal.append(
    [{ kind: 'resultDeclared', roundId, orderNumber: 99, dice: [6, 6, 6], total: 18, winningZones: [], evidence: [] }],
    {
      wallMs: 1,
      monoMs: 1,
    },
  );
  journal.close();

  const { exitCode, out } = await runCaptured(line());

  expect(out).toMatch(/DAMAGED {3}record 36: rule-broken: resultDeclared: no round is open/);
  expect(exitCode).toBe(1);
});

it('works beside a running table', async () => {
  play();
  const journal = open();

  const { exitCode } = await runCaptured(line());

  expect(exitCode).toBe(0);
  journal.close();
});

it('does not take a mistyped path for a new and sound journal', async () => {
  expect(await runCaptured(`verify --journal ${folder}/tabel.db`)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('there is no journal'),
  });
  expect(existsSync(join(folder, 'tabel.db'))).toBe(false);
});

it('sets a damaged journal aside with who and why, where it can still be verified, and the next start begins a new one', async () => {
  play();
  tamper('UPDATE events SET wall_ms = 0 WHERE record_number = 9');
  const before = readFileSync(places().journalPath);
  expect(open).toThrow(expect.objectContaining({ code: 'journal.damaged' }));

  const aside = setJournalAside({ ...places(), by: 'Ada', why: 'card failed', atMs: Date.UTC(2026, 0, 2, 3, 4, 5) });

  expect(aside.journalFolder).toBe(join(folder, 'table.db.set-aside-20260102T030405Z'));
  expect(readFileSync(join(aside.journalFolder, 'table.db'))).toEqual(before);
  expect(JSON.parse(readFileSync(join(aside.journalFolder, 'set-aside.json'), 'utf8'))).toMatchObject({
    by: 'Ada',
    why: 'card failed',
  });
  const { out } = await runCaptured(`verify --journal ${aside.journalFolder}/table.db --anchor ${aside.anchorFolder}`);
  expect(out).toContain('record 9: hash-mismatch');
  const journal = open();
  expect(journal.head.recordNumber).toBe(1);
  expect(() => setJournalAside({ ...places(), by: 'Ada', why: 'again', atMs: 0 })).toThrow(
    expect.objectContaining({ code: 'journal.locked-by-other' }),
  );
  journal.close();
});

it('sets a journal aside whose anchor key is lost, and signs the next with a new key', () => {
  play();
  rmSync(join(folder, 'anchor', 'anchor-key.pem'));
  expect(open).toThrow(expect.objectContaining({ code: 'journal.anchor-key-missing' }));

  const aside = setJournalAside({ ...places(), by: 'Ada', why: 'disk changed', atMs: 0 });

  expect(readdirSync(aside.anchorFolder).sort()).toEqual(['anchor-key.pub.pem', 'anchor.json']);
  open().close();
  expect(readdirSync(join(folder, 'anchor')).sort()).toEqual([
    'anchor-key.pem',
    'anchor-key.pub.pem',
    'anchor.json',
    'set-aside-19700101T000000Z',
  ]);
});

it('has nothing to set aside where there was never a journal', () => {
  expect(() => setJournalAside({ ...places(), by: 'Ada', why: 'a mistake', atMs: 0 })).toThrow(
    expect.objectContaining({ code: 'journal.nothing-to-set-aside' }),
  );
});

it('asks for a reason before it sets a journal aside', async () => {
  writeFileSync(join(folder, 'table.toml'), '');

  expect(await runCaptured(`journal set-aside --config ${folder}/table.toml`)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("required option '--why <reason>' not specified"),
  });
});

it('finds the journal of a table by its configuration, to verify it and to set it aside', async () => {
  copyFileSync(join(productRoot, 'src/config/example.table.toml'), join(folder, 'table.toml'));
  const configured = { journalPath: join(folder, 'journal/journal.sqlite'), anchorFolder: join(folder, 'anchor') };
  const opened = {
    ...configured,
    tableId: 'table-1',
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: 1, monoMs: 1 },
  };
  openJournal(opened).close();
  expect(await runCaptured(`verify --config ${folder}/table.toml`)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('records   1 sound, 0 rounds opened, 0 ended'),
  });

  const { exitCode, lines } = await runCaptured(`journal set-aside --config ${folder}/table.toml --why card-failed --by Ada`);

  expect(exitCode).toBe(0);
  const asideFolder = /^journal now in (.*)$/.exec(lines[0] ?? '')?.[1] ?? '';
  expect(readdirSync(asideFolder)).toEqual(expect.arrayContaining(['journal.sqlite', 'set-aside.json']));
  expect(existsSync(configured.journalPath)).toBe(false);
});

const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0;
it.runIf(canMount)('verifies a journal on a disk that can only be read', () => {
  play();
  const sicbo = join(productRoot, 'dist/src/cli/sicbo.js');
  const script = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder} && ! touch ${folder}/x 2>/dev/null &&
    ${process.execPath} ${sicbo} ${line()}`;

  const { stdout, status } = spawnSync('unshare', ['-Urm', 'bash', '-c', script]);

  expect(stdout.toString()).toContain('The journal is sound.');
  expect(status).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['anchor', 'evidence', 'table.db', 'table.db.lock']);
});
