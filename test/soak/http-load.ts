import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import type { HistoryRow, RoundView, TableView } from '../../src/api/views.ts';
import type { Findings } from './findings.ts';
import type { Witness } from './witness.ts';

export interface HttpLoadOptions {
  readonly address: string;
  readonly random: SeededRandom;
  readonly witness: Witness;
  readonly findings: Findings;
}

/** An answer may take this long, ms; a table that is just killed answers never. */
const answerMsMax = 5_000;
const pauseMsMax = 120;
/** Rounds and pictures that are asked for again, so that old ones are looked at after later restarts. */
const rememberedMax = 300;

/** A person with a browser: asks for history, rounds and pictures without end, of long ago as well as new. Resolves when the signal aborts. */
export async function httpLoad({ address, random, witness, findings }: HttpLoadOptions, signal: AbortSignal): Promise<void> {
  const rounds: string[] = [];
  const pictures: string[] = [];
  const get = async (path: string): Promise<Response | null> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]);
    const response = await fetch(`${address}${path}`, { signal: limit }).catch(() => null);
    if (response === null) return null;
    findings.count('HTTP answers');
    if (response.status !== 200) findings.wrong(`GET ${path} was answered with ${response.status}: ${await text(response)}`);
    return response.status === 200 ? response : null;
  };
  const json = async <T>(path: string): Promise<T | null> => {
    const response = await get(path);
    return response === null ? null : ((await response.json().catch(() => null)) as T | null);
  };
  const remember = (list: string[], items: readonly string[]): void => {
    for (const item of items) if (!list.includes(item)) list.push(item);
    if (list.length > rememberedMax) list.splice(random.index(list.length), list.length - rememberedMax);
  };
  const asks = [
    async () => {
      const history = await json<{ rounds: HistoryRow[] }>(`/api/history?limit=${1 + random.index(50)}`);
      for (const row of history?.rounds ?? []) witness.sawRow(row);
      remember(
        rounds,
        (history?.rounds ?? []).map(({ roundId }) => roundId),
      );
    },
    async () => {
      const now = await json<{ table: TableView }>('/api/table');
      if (now === null) return;
      witness.sawTable(now.table);
      remember(rounds, now.table.round === null ? [] : [now.table.round.roundId]);
    },
    async () => {
      if (rounds.length === 0) return;
      const round = await json<RoundView>(`/api/rounds/${random.pick(rounds)}`);
      if (round === null) return;
      witness.sawRound(round);
      remember(
        pictures,
        round.steps.flatMap(({ evidence }) => evidence.map(({ sha256 }) => sha256)),
      );
    },
    async () => {
      if (pictures.length === 0) return;
      const sha256 = random.pick(pictures);
      const bytes = await (await get(`/api/evidence/${sha256}`))?.arrayBuffer().catch(() => null);
      if (bytes === null || bytes === undefined) return;
      const found = createHash('sha256').update(Buffer.from(bytes)).digest('hex');
      if (found !== sha256) findings.wrong(`the picture ${sha256} was answered with bytes of hash ${found}`);
    },
    () => get('/api/health').then((response) => response?.body?.cancel()),
  ];
  while (!signal.aborted) {
    await random
      .pick(asks)()
      .catch(() => {});
    await pause(random.between(0, pauseMsMax), undefined, { signal }).catch(() => {});
  }
}

function text(response: Response): Promise<string> {
  return response.text().catch(() => '');
}
