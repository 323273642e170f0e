import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface FeedProxyOptions {
  /** Where it connects to on the loopback address. */
  readonly port: number;
  /** A connection on which nothing came from the table for so long is cut, ms; as nginx does after 60 s (`proxy_read_timeout`). */
  readonly idleMsMax: number;
}

/** A proxy between table and display, which cuts connections that seem idle, and behind which a display can vanish without a word. */
export class FeedProxy {
  readonly #options: FeedProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;
  /** Connections that were cut because nothing came from the table. */
  cutCount = 0;

  private constructor(options: FeedProxyOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#pass(client));
  }

  static async start(options: FeedProxyOptions): Promise<FeedProxy> {
    const proxy = new FeedProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on nothing passes in either direction, and neither side is told: a cable that was pulled. The table's bytes are still taken. */
  pullCable(): void {
    this.#isSilent = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #pass(client: Socket): void {
    const table = connect(this.#options.port, '127.0.0.1');
    for (const [from, to] of [
      [client, table],
      [table, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => {});
      from.on('data', (bytes) => {
        if (!this.#isSilent && !to.destroyed) to.write(bytes);
      });
      from.on('close', () => {
        this.#sockets.delete(from);
        // A pulled cable carries no goodbye either.
        if (!this.#isSilent) to.destroy();
      });
    }
    const idle = setTimeout(() => {
      this.cutCount += 1;
      table.destroy();
      client.destroy();
    }, this.#options.idleMsMax);
    // Only what comes from the table counts; pongs of the display do not.
    table.on('data', () => idle.refresh());
    table.on('close', () => clearTimeout(idle));
  }
}
