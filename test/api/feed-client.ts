import { WebSocket } from 'ws';
import type { FeedMessage } from '../../src/api/views.ts';

export interface FeedClient {
  readonly socket: WebSocket;
  readonly messages: FeedMessage[];
  /** Code and reason of the close; null while open. */
  readonly closed: { code: number; reason: string } | null;
  /** Records seen, in the order of arrival. */
  seqs(): number[];
  /** Totals of all results seen as events or in the snapshot's history, in the order of the rounds. */
  results(): number[];
}

/** Connects a well-behaved listener. @param onOpen runs at the moment of the 101 answer. */
export function connectFeed(address: string, query = '', onOpen: (socket: WebSocket) => void = () => {}): FeedClient {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/feed${query}`);
  const messages: FeedMessage[] = [];
  const client = {
    socket,
    messages,
    closed: null as FeedClient['closed'],
    seqs: () => messages.filter(({ type }) => type === 'event').map(({ seq }) => seq),
    results: () =>
      messages.flatMap((message) => {
        if (message.type === 'snapshot') return message.history.map(({ total }) => total ?? 0).reverse();
        return message.type === 'event' && message.event.kind === 'resultDeclared' ? [message.event.total] : [];
      }),
  };
  socket.on('open', () => onOpen(socket));
  socket.on('error', () => {});
  socket.on('message', (data) => messages.push(JSON.parse(data.toString()) as FeedMessage));
  socket.on('close', (code, reason) => {
    client.closed = { code, reason: reason.toString() };
  });
  return client;
}
