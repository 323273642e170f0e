import type { CommandEntry } from '../../src/cli/command-list.ts';
import { runSicbo } from '../../src/cli/run-sicbo.ts';

/** Runs a `sicbo` command line as the terminal would and returns what it wrote, split into lines, and its exit code. */
export async function runCaptured(line: string, commands?: readonly CommandEntry[]) {
  let out = '';
  let err = '';
  const output = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const args = line.split(' ').filter((word) => word !== '');
  const exitCode = await runSicbo(args, output, commands);
  return { exitCode, out, err, lines: out.split('\n').slice(0, -1) };
}
