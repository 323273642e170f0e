import { once } from 'node:events';
import { expect, it } from 'vitest';
import { FakeTable } from './fake-table.ts';
import { connectFeed } from './feed-client.ts';
import { serverOf } from './table-server.ts';

it('answers as documented until it is closed, while the listeners of the feed are still being sent away', async () => {
  const server = await serverOf(new FakeTable());
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const { socket } = connectFeed(address, '?snapshot=1');
  await once(socket, 'message');
  // Takes nothing more, so that the goodbye has to wait for it.
  socket.pause();

  const closing = server.close();
  const [known, unknown] = await Promise.all([fetch(`${address}/healthz`), fetch(`${address}/nothing`)]);

  expect(known.status).toBe(200);
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toEqual({ code: 'api.not-found', message: 'There is nothing at this address.', problems: [] });
  await closing;
  socket.terminate();
});
