import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TableServer } from '../../src/api/build-server.ts';
import type { FeedLimits } from '../../src/api/feed-limits.ts';
import { openStuckListener, pongUnread, startStoppedListener } from '../soak/bad-listeners.ts';
import { FeedProxy } from '../soak/feed-proxy.ts';
import { FakeTable } from './fake-table.ts';
import { connectFeed, type FeedClient } from './feed-client.ts';
import { playRound } from './played-rounds.ts';
import { serverOf } from './table-server.ts';

const waiting = { timeout: 20_000, interval: 5 };
/** A hundredth of a real table's 5 s between two signs of life and 60 s of a proxy's patience. */
const heartbeatMs = 50;
const proxyIdleMs = 600;

describe('the feed with bad listeners (NET-01)', () => {
  let table: FakeTable;
  let server: TableServer;
  let port: number;
  const serve = async (limits: Partial<FeedLimits>): Promise<void> => {
    server = await serverOf(table, { feed: { heartbeatMs, pongMsMax: 1_500, stallMsMax: 60_000, ...limits } });
    port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
  };
  beforeEach(() => {
    table = new FakeTable();
  });
  afterEach(() => server.close());

  const addressOf = (at: number) => `http://127.0.0.1:${at}`;
  const listener = async (at = port): Promise<FeedClient> => {
    const client = connectFeed(addressOf(at), '?snapshot=1');
    onTestFinished(() => client.socket.terminate());
    await vi.waitUntil(() => client.messages.length > 0, waiting);
    return client;
  };
  const proxyOf = async (idleMsMax: number): Promise<FeedProxy> => {
    const proxy = await FeedProxy.start({ port, idleMsMax });
    onTestFinished(() => proxy.close());
    return proxy;
  };

  it('cuts a display whose process was stopped, and goes on serving the others', async () => {
    await serve({});
    const good = await listener();
    const stopped = await startStoppedListener(`ws://127.0.0.1:${port}/feed`);
    onTestFinished(() => void stopped.kill('SIGKILL'));
    expect(server.feed.counters.listening).toBe(2);
    await vi.waitUntil(() => server.feed.counters.noPong === 1, waiting);
    await vi.waitUntil(() => server.feed.counters.listening === 1, waiting);
    playRound(table, [1, 2, 5]);
    await vi.waitUntil(() => good.results().length === 1, waiting);
    expect(stopped.signalCode).toBeNull();
  });

  it('notices a display that vanished behind a pulled cable although nobody closed the connection', async () => {
    await serve({});
    const proxy = await proxyOf(60_000);
    const vanished = await listener(proxy.port);
    proxy.pullCable();
    vanished.socket.terminate();
    await vi.waitUntil(() => server.feed.counters.noPong === 1, waiting);
    await vi.waitUntil(() => server.feed.counters.listening === 0, waiting);
  });

  it('keeps a display behind a proxy that cuts idle connections, however long nothing happens', async () => {
    await serve({});
    const proxy = await proxyOf(proxyIdleMs);
    const client = await listener(proxy.port);
    const heard = () => client.messages.filter(({ type }) => type === 'heartbeat').length;
    // Four times the patience of the proxy.
    await vi.waitUntil(() => heard() >= (4 * proxyIdleMs) / heartbeatMs, waiting);
    expect(client.closed).toBeNull();
    expect(proxy.cutCount).toBe(0);
  });

  it('would lose that display without its signs of life', async () => {
    await serve({ heartbeatMs: 60_000 });
    const proxy = await proxyOf(proxyIdleMs);
    const client = await listener(proxy.port);
    await vi.waitUntil(() => client.closed !== null, waiting);
    expect(proxy.cutCount).toBe(1);
  });

  it('cuts each of them once while they come all together, and nobody else misses a result', async () => {
    await serve({ bufferedBytesMax: 200_000 });
    const [cable, proxy] = [await proxyOf(60_000), await proxyOf(proxyIdleMs)];
    const good = await Promise.all([port, port, proxy.port].map((at) => listener(at)));
    const stuck = await openStuckListener(port);
    const stopped = await startStoppedListener(`ws://127.0.0.1:${port}/feed`);
    onTestFinished(() => {
      stuck.destroy();
      stopped.kill('SIGKILL');
    });
    const vanished = await listener(cable.port);
    cable.pullCable();
    vanished.socket.terminate();
    const by = { name: 'Mei', role: 'dealer' } as const;
    // Long reasons fill the system's buffers of the one that answers pings and reads nothing.
    for (let turn = 0; turn < 2_000 && server.feed.counters.tooSlow === 0; turn += 1) {
      table.append([{ kind: 'tableHeld', by, reason: 'x'.repeat(20_000) }]);
      table.append([{ kind: 'tableResumed', by }]);
      if (!stuck.destroyed) pongUnread(stuck, 100);
      await vi.waitUntil(() => good.every(({ messages }) => messages.at(-1)?.seq === table.head.recordNumber), waiting);
      for (const { messages } of good) messages.length = 0;
    }
    playRound(table, [4, 4, 4]);
    await vi.waitUntil(() => server.feed.counters.listening === 3, waiting);
    expect(server.feed.counters).toMatchObject({ tooSlow: 1, noPong: 2 });
    await vi.waitUntil(() => good.every((client) => client.results().at(-1) === 12), waiting);
    expect(good.map(({ closed }) => closed)).toEqual([null, null, null]);
  });
});
