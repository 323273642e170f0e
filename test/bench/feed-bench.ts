import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { Dice } from '../../src/core/rules/dice.ts';
import { FakeTable } from '../api/fake-table.ts';
import { connectFeed } from '../api/feed-client.ts';
import { closeBetting, declareZones, read, settle, shake, winnersOf } from '../api/played-rounds.ts';
import { serverOf } from '../api/table-server.ts';
import type { BenchRow } from './bench-row.ts';
import type { ListenOrder, ListenReport } from './feed-listeners.ts';

const dice: Dice = [2, 5, 5];
const winners = winnersOf(dice);
const resultCount = 60;
/** Results sent before anything is counted, so that both sides run compiled code. */
const warmUpCount = 8;

/** Fan-out of results over the feed against a bare `ws` broadcast of the same bytes, taken in turns in one run. Runs from the built code, because
 *  the listeners are a process of their own. @param listenerCount connections to each of the two; design: 200 here, 1,000 at most. */
export async function feedBench(listenerCount = 200): Promise<BenchRow[]> {
  const table = new FakeTable();
  const server = await serverOf(table);
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const payload = await resultMessages(table, address);
  const bare = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  bare.on('connection', (socket) => socket.send('{}'));
  await once(bare, 'listening');
  const bareAddress = bare.address();
  const barePort = typeof bareAddress === 'object' && bareAddress !== null ? bareAddress.port : 0;

  const rssBefore = process.memoryUsage().rss;
  const onFeed = await startListeners({ url: `${address.replace('http', 'ws')}/feed?snapshot=1`, count: listenerCount });
  const feedMb = (process.memoryUsage().rss - rssBefore) / 1e6;
  const onBare = await startListeners({ url: `ws://127.0.0.1:${barePort}`, count: listenerCount });
  const feedMs: number[] = [];
  const bareMs: number[] = [];
  try {
    for (let number = 0; number < warmUpCount + resultCount; number += 1) {
      // What came before the result must have arrived: on a table the dice take seconds, not one turn of the loop.
      await delaysMs(onFeed, `readOrdered 0a1b2c3d-${number + 2}`, () => upToReading(table));
      feedMs.push(...(await delaysMs(onFeed, `resultDeclared ${table.roundId}`, () => declareZones(table, 1, dice, winners))));
      table.round({ kind: 'roundSettled' });
      const messages = payload.map((text) => Buffer.from(text.replaceAll(/"roundId":"[^"]+"/g, `"roundId":"bare-${number}"`)));
      bareMs.push(
        ...(await delaysMs(onBare, `resultDeclared bare-${number}`, () => {
          for (const socket of bare.clients) for (const message of messages) socket.send(message, { binary: false });
        })),
      );
    }
  } finally {
    onFeed.kill();
    onBare.kill();
    bare.close();
    await server.close();
  }
  const skip = warmUpCount * listenerCount;
  return rows(listenerCount, percentile99(feedMs.slice(skip)), percentile99(bareMs.slice(skip)), feedMb);
}

/** The messages by which a listener learns of one result. */
async function resultMessages(table: FakeTable, address: string): Promise<readonly string[]> {
  const client = connectFeed(address, '?snapshot=1');
  await once(client.socket, 'message');
  upToReading(table);
  declareZones(table, 1, dice, winners);
  const isResult = () => client.messages.some((message) => message.type === 'event' && message.event.kind === 'resultDeclared');
  while (!isResult()) await once(client.socket, 'message');
  table.round({ kind: 'roundSettled' });
  client.socket.terminate();
  return client.messages
    .filter(({ type }) => type === 'event')
    .slice(-2)
    .map((message) => JSON.stringify(message));
}

function upToReading(table: FakeTable): void {
  table.openRound();
  closeBetting(table);
  shake(table, 1);
  settle(table, 1);
  read(table, 1);
}

async function startListeners(order: ListenOrder): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./feed-listeners.js', import.meta.url)));
  child.send(order);
  await reportOf(child, (report) => report.kind === 'ready');
  return child;
}

/** Runs `send` and waits until every listener has the message. @returns the delay of each, ms. */
async function delaysMs(listeners: ChildProcess, marker: string, send: () => void): Promise<number[]> {
  const arrived = reportOf(listeners, (report) => report.kind === 'arrived' && report.marker === marker);
  const startNs = process.hrtime.bigint();
  send();
  const report = await arrived;
  return report.kind === 'arrived' ? report.atNs.map((atNs) => Number(BigInt(atNs) - startNs) / 1e6) : [];
}

function reportOf(child: ChildProcess, isWanted: (report: ListenReport) => boolean): Promise<ListenReport> {
  return new Promise((wanted, failed) => {
    const ended = (code: number | null) => failed(new Error(`the listeners' process ended (exit ${code})`));
    const take = (message: unknown) => {
      const report = message as ListenReport;
      if (!isWanted(report)) return;
      child.off('message', take).off('exit', ended);
      wanted(report);
    };
    child.on('message', take).once('exit', ended);
  });
}

function percentile99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}

function rows(listenerCount: number, feedMs: number, bareMs: number, feedMb: number): BenchRow[] {
  const note = `${resultCount} results to ${listenerCount} listeners in a process of their own, in turns with the bare broadcast`;
  return [
    { name: 'feed: result to listener, p99', value: feedMs, unit: 'ms', target: '<= 100', note },
    { name: 'feed: bare ws broadcast of the same bytes, p99', value: bareMs, unit: 'ms', target: '', note },
    { name: 'feed: against the bare broadcast', value: feedMs / bareMs, unit: 'x', target: '<= 2', note },
    {
      name: 'feed: memory for the listeners',
      value: feedMb,
      unit: 'MB',
      target: '65 for 1,000 (bare)',
      note: `${listenerCount} listeners`,
    },
  ];
}
