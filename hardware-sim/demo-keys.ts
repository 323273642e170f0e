import { createInterface } from 'node:readline';
import type { TableView } from '../src/api/views.ts';

const acts = ['hold', 'resume', 'void'] as const;

/** Lets the person at the terminal act as the demo's supervisor, one word a line: the pages for dealer and supervisor come later, and a table that
 *  holds waits for a person. Does nothing where no terminal is.
 *  @param address of the table's server. @returns a function that ends it. */
export function offerKeys(address: string, say: (line: string) => void): () => void {
  if (!process.stdin.isTTY) return () => {};
  say(`Type ${acts.join(', ')} and ENTER to act as the supervisor.\n`);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const act = acts.find((word) => word === line.trim().toLowerCase());
    if (act === undefined) {
      if (line.trim() !== '') say(`  not understood; the words are ${acts.join(', ')}`);
      return;
    }
    order(address, act).then(
      (answer) => say(`  ${act}: ${answer}`),
      (error: unknown) => say(`  ${act}: no answer of the table (${String(error)})`),
    );
  });
  // Without this Ctrl-C would end only the reading of lines.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  return () => lines.close();
}

async function order(address: string, act: (typeof acts)[number]): Promise<string> {
  const { table } = (await (await fetch(`${address}/api/table`)).json()) as { readonly table: TableView };
  const body = {
    by: { name: 'demo', role: 'supervisor' },
    roundId: table.round?.roundId ?? null,
    ...(act === 'resume' ? { holdNumber: table.hold?.holdNumber ?? 1 } : { reason: 'typed at the demo' }),
  };
  const answer = await fetch(`${address}/api/acts/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { message } = (await answer.json()) as { readonly message?: string };
  return answer.ok ? 'done' : (message ?? `refused (${answer.status})`);
}
