import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { PublicEvent } from '../../src/api/public-event.ts';
import type { TableView } from '../../src/api/views.ts';
import { productRoot } from '../../src/product-root.ts';
import { connectFeed, type FeedClient } from '../api/feed-client.ts';

/** A listener of the feed with its snapshot; ended with the test. */
export async function listener(address: string): Promise<FeedClient> {
  const client = connectFeed(address, '?snapshot=1');
  onTestFinished(() => client.socket.terminate());
  await vi.waitUntil(() => client.messages.length > 0, { timeout: 10_000 });
  return client;
}

/** Resolves when the listener has heard such a record `count` times. */
export async function heard(client: FeedClient, kind: PublicEvent['kind'], count = 1): Promise<void> {
  await vi.waitUntil(() => eventsOf(client, kind).length >= count, { timeout: 25_000, interval: 5 });
}

/** The records of a kind that the listener heard, oldest first. */
export function eventsOf(client: FeedClient, kind: PublicEvent['kind']): readonly PublicEvent[] {
  return client.messages.flatMap((message) => (message.type === 'event' && message.event.kind === kind ? [message.event] : []));
}

/** The table as it is now. */
export async function tableNow(address: string): Promise<TableView> {
  const response = await fetch(`${address}/api/table`);
  return ((await response.json()) as { table: TableView }).table;
}

/** Resolves when the table is so. */
export async function untilTable(address: string, isSo: (table: TableView) => boolean): Promise<void> {
  await vi.waitUntil(async () => isSo(await tableNow(address)), { timeout: 25_000, interval: 20 });
}

/** A browser that has asked once and keeps its connection. */
export async function keepAliveClient(address: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const [response] = await once(get(`${address}/api/history`, { agent }), 'response');
  response.resume();
  await once(response, 'end');
}

/** A display whose machine hangs: a process that listens to the feed and is then stopped by SIGSTOP. */
export async function stoppedListener(address: string): Promise<ChildProcess> {
  const script = `new (require('ws'))('${address.replace('http', 'ws')}/feed?snapshot=1').on('message', () => console.log('heard')).on('error', () => {})`;
  const child = spawn(process.execPath, ['-e', script], { cwd: productRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  return child;
}
