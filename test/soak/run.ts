import { runFeedSoak } from './feed-soak.ts';
import { feedSoakSettings } from './feed-soak-options.ts';
import { Findings } from './findings.ts';
import { runSoak } from './soak.ts';
import { soakSettings } from './soak-options.ts';
import { runVisionKills, visionKillsSettings } from './vision-kills.ts';
import { runVisionSoak, visionSoakSettings } from './vision-soak.ts';

/** What is there to run: its settings, and what it leaves when something was wrong (null: nothing). */
interface SoakRun {
  readonly settings: object;
  readonly run: (
    findings: Findings,
    signal: AbortSignal,
  ) => Promise<{ readonly folder: string; readonly remove: () => void } | null>;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @throws Error when the arguments are wrong. */
function soakRun(args: readonly string[]): SoakRun {
  const [kind, ...others] = args;
  if (kind === 'vision') {
    const settings = visionSoakSettings(others);
    return { settings, run: (findings) => runVisionSoak(settings, findings, say).then(() => null) };
  }
  if (kind === 'vision-kills') {
    const settings = visionKillsSettings(others);
    return { settings, run: (findings) => runVisionKills(settings, findings, say) };
  }
  if (kind === 'feed') {
    const settings = feedSoakSettings(others);
    return { settings, run: (findings) => runFeedSoak(settings, findings, say) };
  }
  const settings = soakSettings(args);
  return { settings, run: (findings, signal) => runSoak({ ...settings, say, signal }, findings) };
}

/** `npm run soak -- [feed|vision|vision-kills] key=value…`: see the options of each. Exit code 0 when nothing is wrong, 1 when something is, 2 for wrong
 *  arguments, 130 after Ctrl-C. */
async function main(): Promise<number> {
  let chosen: SoakRun;
  try {
    chosen = soakRun(process.argv.slice(2));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 2;
  }
  const interrupted = new AbortController();
  const findings = new Findings();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      interrupted.abort();
      findings.stop();
    });
  say(
    `Soak: ${Object.entries(chosen.settings)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')}`,
  );
  const startedMs = performance.now();
  const places = await chosen.run(findings, interrupted.signal);
  say('');
  const width = Math.max(11, ...Object.keys(findings.counts).map(({ length }) => length));
  for (const [what, count] of Object.entries(findings.counts).sort())
    say(`  ${what.padEnd(width)}  ${String(count).padStart(7)}`);
  say(`  ${'duration, s'.padEnd(width)}  ${String(Math.round((performance.now() - startedMs) / 1000)).padStart(7)}`);
  if (findings.problems.length > 0) {
    say('\nFAILED');
    for (const problem of findings.problems) say(`  ${problem}`);
    if (places !== null) say(`Journal, evidence and log are kept: ${places.folder}`);
    return 1;
  }
  places?.remove();
  say(interrupted.signal.aborted ? '\nInterrupted; nothing was wrong so far.' : '\nOK');
  return interrupted.signal.aborted ? 130 : 0;
}

process.exitCode = await main();
