import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { productRoot } from '../../src/product-root.ts';

/** A display whose machine hangs: a process of its own that listens to the feed, gets its first message, and is then stopped by SIGSTOP. It is up to
 *  whoever started it to kill it. */
export async function startStoppedListener(feedUrl: string): Promise<ChildProcess> {
  const script = `new (require('ws'))('${feedUrl}?snapshot=1').on('message', () => console.log('heard')).on('error', () => {})`;
  const child = spawn(process.execPath, ['-e', script], { cwd: productRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  return child;
}

/** A listener that shakes hands and then never reads; the buffers of the system fill, then those of the table. @param port on the loopback address. */
export function openStuckListener(port: number): Promise<Socket> {
  return new Promise((opened, failed) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.write(
        'GET /feed?snapshot=1 HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
      socket.once('data', () => {
        socket.pause();
        socket.off('error', failed).on('error', () => {});
        opened(socket);
      });
    });
  });
}

/** Answers all pings that a stuck listener may have been sent, although it reads none of them: up to `pingCount`. */
export function pongUnread(socket: Socket, pingCount: number): void {
  for (let number = 1; number <= pingCount; number += 1) {
    const payload = Buffer.from(String(number));
    // A final pong frame, masked with zeros.
    socket.write(Buffer.concat([Buffer.from([0x8a, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  }
}
