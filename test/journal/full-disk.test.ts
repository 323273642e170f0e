import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { productRoot } from '../../src/product-root.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = join(productRoot, 'dist/test/journal/appending-program.js');

interface Outcome {
  readonly publishedCount: number;
  readonly failure: string;
  readonly lineAfterwards: string;
  readonly exitCode: number | null;
}

/** Runs the appending program under `wrap` until it fails, lets `makeRoom` make room, and waits for its end. */
async function fillAndGoOn(folder: string, wrap: readonly string[], makeRoom: (pid: number) => void): Promise<Outcome> {
  const [command = process.execPath, ...args] = [
    ...wrap,
    process.execPath,
    program,
    join(folder, 'table.db'),
    join(folder, 'anchor'),
    'until-full',
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let publishedCount = 0;
  let failure = '';
  let lineAfterwards = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (failure !== '') lineAfterwards = line;
    else if (line.startsWith('record ')) publishedCount += 1;
    else {
      failure = line;
      makeRoom(child.pid ?? 0);
    }
  }
  const [exitCode] = await exited;
  return { publishedCount, failure, lineAfterwards, exitCode: exitCode as number | null };
}

describe('when the disk is full', () => {
  it('fails the append under a file-size limit, keeps what was there, and goes on by itself when the limit is lifted', async () => {
    const folder = temporaryFolder();

    const outcome = await fillAndGoOn(folder, ['prlimit', '--fsize=1500000:unlimited', '--'], (pid) => {
      execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited']);
      writeFileSync(join(folder, 'table.db.go-on'), '');
    });

    expect(outcome.publishedCount).toBeGreaterThan(100);
    // One more than published: the record of the journal's creation.
    expect(outcome.failure).toBe(`failed journal.unwritable head ${outcome.publishedCount + 1}`);
    expect(outcome.lineAfterwards).toMatch(new RegExp(`^record ${outcome.publishedCount + 2} `));
    expect(outcome.exitCode).toBe(0);
    const options = {
      journalPath: join(folder, 'table.db'),
      anchorFolder: join(folder, 'anchor'),
      evidence: null,
      isWithRules: false,
    };
    expect(verifyJournal({ ...options, pages: 'full' })).toMatchObject({
      head: { recordNumber: outcome.publishedCount + 2 },
      damages: [],
    });
  });

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0;
  it.runIf(canMount)('does the same on a file system of 2 MB that ran full', () => {
    const mount = temporaryFolder();
    const script = `
      mount -t tmpfs -o size=2M none ${mount}
      head -c 400000 /dev/zero > ${mount}/other-file
      (while [ ! -s ${mount}-failed ]; do sleep 0.05; done; rm ${mount}/other-file; touch ${mount}/table.db.go-on) &
      ${process.execPath} ${program} ${mount}/table.db ${mount}/anchor until-full | while read -r line; do
        case "$line" in failed*) echo "$line" > ${mount}-failed;; esac
        echo "$line"
      done
      sqlite3 ${mount}/table.db 'PRAGMA integrity_check'
      rm -f ${mount}-failed`;

    const lines = execFileSync('unshare', ['-Urm', 'bash', '-c', script]).toString().trim().split('\n');

    const publishedCount = lines.findIndex((line) => line.startsWith('failed'));
    expect(publishedCount).toBeGreaterThan(100);
    expect(lines.slice(publishedCount)).toEqual([
      `failed journal.unwritable head ${publishedCount + 1}`,
      expect.stringMatching(new RegExp(`^record ${publishedCount + 2} `)),
      'ok',
    ]);
  });
});

const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
describe.runIf(canTrace)('when the disk answers with errors', () => {
  it.each([
    ['cannot bring the WAL to the disk', 'fsync:error=EIO:when=60'],
    ['turned read-only', 'pwrite64:error=EROFS:when=150'],
  ])('fails the append of a disk that %s, and goes on with the same number by itself', async (_what, injection) => {
    const folder = temporaryFolder();
    const strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,pwrite64', '-e', `inject=${injection}`];

    const outcome = await fillAndGoOn(folder, strace, () => writeFileSync(join(folder, 'table.db.go-on'), ''));

    expect(outcome.publishedCount).toBeGreaterThan(10);
    expect(outcome.failure).toBe(`failed journal.unwritable head ${outcome.publishedCount + 1}`);
    expect(outcome.lineAfterwards).toMatch(new RegExp(`^record ${outcome.publishedCount + 2} `));
    const options = {
      journalPath: join(folder, 'table.db'),
      anchorFolder: join(folder, 'anchor'),
      evidence: null,
      isWithRules: false,
    };
    expect(verifyJournal({ ...options, pages: 'full' })).toMatchObject({
      head: { recordNumber: outcome.publishedCount + 2 },
      damages: [],
    });
  });
});
