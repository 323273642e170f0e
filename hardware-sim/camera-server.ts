import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../src/ports/clock.ts';
import { type CameraFault, faultyPicture } from './camera-faults.ts';
import type { CameraPictures } from './camera-pictures.ts';

export interface CameraServerOptions {
  readonly clock: Clock;
  readonly pictures: CameraPictures;
  /** Port on the loopback address; 0 or absent takes a free one. */
  readonly port?: number;
  /** Pictures a second, 1 to 60; 15 by default. A machine that cannot draw that many sends fewer. */
  readonly frameRate?: number;
  /** Asks for this name and password (HTTP basic). */
  readonly login?: { readonly name: string; readonly password: string };
  /** Sends `X-Timestamp` (capture time, seconds since 1970) with each picture, as some cameras do; true by default. */
  readonly hasTimestamps?: boolean;
  /** Sends `Content-Length` with each picture; true by default. */
  readonly hasLengths?: boolean;
  /** Error of the camera's own clock, ms; added to its time stamps. */
  readonly clockErrorMs?: number;
}

interface Picture {
  readonly jpeg: Buffer;
  readonly capturedWallMs: number;
}

const boundary = 'sicbo-frame';
/** A viewer that is this many bytes behind misses pictures instead of making the camera store them. */
const backlogBytesMax = 2 * 1024 * 1024;
/** Pictures taken for nobody before the camera listens. */
const trialCount = 12;
/** Longest queue of the `stale` fault. */
const keptMax = 30;

/** A camera on the network: MJPEG over HTTP (`multipart/x-mixed-replace`) at `/stream`, one picture at `/snapshot.jpg`, faults on command. */
export class CameraServer {
  readonly #options: CameraServerOptions;
  readonly #server: Server;
  readonly #viewers = new Set<ServerResponse>();
  #fault: CameraFault | null = null;
  #frozen: Picture | null = null;
  #kept: Picture[] = [];
  #pictureNumber = 0;
  #cancel: () => void = () => undefined;
  #isTaking = false;
  /** Pictures sent to viewers, and connections taken, since the start. */
  readonly counters = { taken: 0, sent: 0, connections: 0, failed: 0 };

  private constructor(options: CameraServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('connection', () => {
      this.counters.connections += 1;
    });
  }

  /** Listens on the loopback address and begins to take pictures as soon as somebody looks. */
  static async start(options: CameraServerOptions): Promise<CameraServer> {
    const server = new CameraServer(options);
    // The first pictures take seconds, as long as code is being compiled; nobody should see that.
    for (let turn = 0; turn < trialCount; turn += 1) await options.pictures.take().catch(() => undefined);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    server.#schedule();
    return server;
  }

  /** Address of the stream. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/stream`;
  }

  /** Begins a fault, or ends it with null. */
  setFault(fault: CameraFault | null): void {
    this.#fault = fault;
    this.#frozen = null;
    if (fault?.kind === 'dropping') for (const viewer of this.#viewers) viewer.destroy();
  }

  async close(): Promise<void> {
    this.#cancel();
    for (const viewer of this.#viewers) viewer.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#fault?.kind === 'mute') return;
    if (this.#fault?.kind === 'dropping') {
      response.destroy();
      return;
    }
    if (!this.#isAllowed(request)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="camera"' }).end();
      return;
    }
    if (request.url === '/snapshot.jpg') {
      void this.#take().then(
        ({ jpeg }) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(jpeg),
        () => response.writeHead(503).end(),
      );
      return;
    }
    if (request.url !== '/stream') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': `multipart/x-mixed-replace; boundary=${boundary}`, 'Cache-Control': 'no-store' });
    response.flushHeaders();
    this.#viewers.add(response);
    response.on('close', () => this.#viewers.delete(response));
  }

  #isAllowed(request: IncomingMessage): boolean {
    const { login } = this.#options;
    if (login === undefined) return true;
    const wanted = Buffer.from(`${login.name}:${login.password}`, 'utf8').toString('base64');
    return request.headers.authorization === `Basic ${wanted}`;
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(1000 / (this.#options.frameRate ?? 15), () => {
      this.#schedule();
      if (this.#viewers.size === 0 || this.#isTaking || this.#fault?.kind === 'silent') return;
      this.#isTaking = true;
      void this.#take()
        .then(
          (picture) => this.#send(picture),
          () => {
            this.counters.failed += 1;
          },
        )
        .finally(() => {
          this.#isTaking = false;
        });
    });
  }

  async #take(): Promise<Picture> {
    const fault = this.#fault;
    const isFrozen = fault?.kind === 'frozen-bytes' || fault?.kind === 'frozen-pixels';
    const capturedWallMs = this.#options.clock.now().wallMs + (this.#options.clockErrorMs ?? 0);
    let jpeg = isFrozen && this.#frozen !== null ? this.#frozen.jpeg : await this.#options.pictures.take();
    if (isFrozen) this.#frozen ??= { jpeg, capturedWallMs };
    this.#pictureNumber += 1;
    this.counters.taken += 1;
    jpeg = await faultyPicture(jpeg, fault, this.#pictureNumber);
    const picture = { jpeg, capturedWallMs };
    this.#kept = [...this.#kept, picture].slice(-keptMax);
    return fault?.kind === 'stale' ? (this.#kept.at(-1 - fault.frameCount) ?? this.#kept[0] ?? picture) : picture;
  }

  #send({ jpeg, capturedWallMs }: Picture): void {
    const { hasLengths = true, hasTimestamps = true } = this.#options;
    const lines = [`--${boundary}`, 'Content-Type: image/jpeg'];
    if (hasLengths) lines.push(`Content-Length: ${jpeg.length}`);
    if (hasTimestamps) lines.push(`X-Timestamp: ${(capturedWallMs / 1000).toFixed(6)}`);
    const part = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), jpeg, Buffer.from('\r\n', 'latin1')]);
    for (const viewer of this.#viewers) {
      if (viewer.writableLength > backlogBytesMax) continue;
      viewer.write(part);
      this.counters.sent += 1;
    }
  }
}
