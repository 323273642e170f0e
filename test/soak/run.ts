import { Findings } from './findings.ts';
import { runSoak } from './soak.ts';
import { soakSettings } from './soak-options.ts';

/** `npm run soak -- kills=200`: see `soak-options.ts`. Exit code 0 when nothing is wrong, 1 when something is, 2 for wrong arguments, 130 after Ctrl-C. */
async function main(): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  let settings: ReturnType<typeof soakSettings>;
  try {
    settings = soakSettings(process.argv.slice(2));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 2;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  say(
    `Soak: ${Object.entries(settings)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')}`,
  );
  const startedMs = performance.now();
  const findings = new Findings();
  const places = await runSoak({ ...settings, say, signal: interrupted.signal }, findings);
  say('');
  const width = Math.max(...Object.keys(findings.counts).map(({ length }) => length));
  for (const [what, count] of Object.entries(findings.counts).sort())
    say(`  ${what.padEnd(width)}  ${String(count).padStart(7)}`);
  say(`  ${'duration, s'.padEnd(width)}  ${String(Math.round((performance.now() - startedMs) / 1000)).padStart(7)}`);
  if (findings.problems.length > 0) {
    say('\nFAILED');
    for (const problem of findings.problems) say(`  ${problem}`);
    say(`Journal, evidence and log are kept: ${places.folder}`);
    return 1;
  }
  places.remove();
  say(interrupted.signal.aborted ? '\nInterrupted; nothing was wrong so far.' : '\nOK');
  return interrupted.signal.aborted ? 130 : 0;
}

process.exitCode = await main();
