import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { firmwareFault } from './firmware-faults.ts';
import { blankMemory, loadMemory, saveMemory } from './firmware-memory.ts';
import { FirmwareProcess } from './firmware-process.ts';

/** The simulated shaker as a program of its own: `node firmware-main.js --link PATH [--memory FILE] [--id ID] [--seed N]`. One fault per line as JSON on standard
 *  input (see firmware-faults.ts); what it says as JSON lines on standard output. Ends with its input, or by SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { link: { type: 'string' }, memory: { type: 'string' }, id: { type: 'string' }, seed: { type: 'string' } },
  });
  const { link, memory: file } = values;
  if (link === undefined) throw new Error('--link PATH is missing');
  const print = (entry: object): void => void process.stdout.write(`${JSON.stringify(entry)}\n`);
  const memory = file === undefined ? blankMemory() : loadMemory(file);
  const shaker = await FirmwareProcess.start({
    link,
    memory,
    onMemoryChanged: () => file !== undefined && saveMemory(file, memory),
    onSaid: (said) => print({ kind: 'said', ...said }),
    seed: Number(values.seed ?? 1),
    ...(values.id === undefined ? {} : { deviceId: values.id }),
  });
  print({ kind: 'ready', link });
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    try {
      const fault = firmwareFault.safeParse(JSON.parse(line));
      if (fault.success) shaker.inject(fault.data);
      print(fault.success ? { kind: 'injected' } : { kind: 'refused', detail: z.prettifyError(fault.error) });
    } catch (error) {
      print({ kind: 'refused', detail: error instanceof Error ? error.message : String(error) });
    }
  });
  const end = (): void => void shaker.close().then(() => process.exit(0));
  input.once('close', end);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

await main();
