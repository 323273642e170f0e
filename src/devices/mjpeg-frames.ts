import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../ports/clock.ts';
import type { Frame, FrameNotice, FrameSource } from '../ports/frame-source.ts';
import { CaptureTime } from './capture-time.ts';
import { FrameOutlet } from './frame-outlet.ts';
import { MultipartJpegReader, type PartEvent } from './multipart-jpeg.ts';

export interface MjpegOptions {
  readonly clock: Clock;
  /** http or https address of the stream. */
  readonly url: string;
  readonly login?: { readonly name: string; readonly password: string };
  /** Time without a whole picture after which the camera counts as offline and is opened anew, ms. Default 2,000: the deadline of a reading (failures.md CAM-08). */
  readonly silenceMsMax?: number;
  /** Largest picture, bytes. Default 8 MiB. */
  readonly partBytesMax?: number;
  /** Byte-identical pictures in a row that make the camera frozen. Default 5: sensor noise never repeats (failures.md CAM-02). */
  readonly repeatCountMax?: number;
  /** Wait before the first and the longest wait before a later new attempt, ms. Defaults 250 and 5,000. */
  readonly reopenMsMin?: number;
  readonly reopenMsMax?: number;
  /** How much older than its arrival a picture without a time stamp may be, ms. Default 400: a queue of five at 15 a second (failures.md CAM-01). */
  readonly unstampedDelayMs?: number;
}

type Settings = Required<Omit<MjpegOptions, 'clock' | 'url' | 'login'>>;

const defaults: Settings = {
  silenceMsMax: 2_000,
  partBytesMax: 8 * 1024 * 1024,
  repeatCountMax: 5,
  reopenMsMin: 250,
  reopenMsMax: 5_000,
  unstampedDelayMs: 400,
};

/** Bytes that come after a pause of this length may have waited in the machine's buffers all that time, ms. */
const stallMsMin = 250;

/** A network camera that sends MJPEG over HTTP.
 *
 *  When a picture was taken: by the camera's `X-Timestamp` where it sends one (see `CaptureTime`). Without it the picture is taken to be
 *  `unstampedDelayMs` older than its arrival, and one that came after a pause to be as old as the pause, so that pictures which waited in a queue
 *  are never newer than they look; the price is that a result waits that long.
 *
 *  A picture that is byte for byte the one before is counted and not handed out: it proves nothing about now. */
export class MjpegFrames implements FrameSource {
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #settings: Settings;
  readonly #outlet: FrameOutlet;
  readonly #captureTime = new CaptureTime();
  #request: ClientRequest | null = null;
  #cancelSilence: () => void = () => undefined;
  #cancelReopen: () => void = () => undefined;
  #isOpen = false;
  #attemptCount = 0;
  #byteCount = 0;
  #repeatCount = 0;
  #readMonoMs = 0;

  constructor({ clock, url, login, ...settings }: MjpegOptions) {
    this.#clock = clock;
    this.#url = new URL(url);
    this.#settings = { ...defaults, ...settings };
    this.#outlet = new FrameOutlet(clock);
    this.#headers =
      login === undefined ? {} : { Authorization: `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}` };
  }

  get latest(): Frame | null {
    return this.#outlet.latest;
  }

  get counters(): Readonly<Record<string, number>> {
    return this.#outlet.counters;
  }

  onNotice(listener: (notice: FrameNotice) => void): () => void {
    return this.#outlet.onNotice(listener);
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#connect();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#cancelReopen();
    this.#disconnect();
  }

  #connect(): void {
    this.#outlet.count('connections');
    this.#byteCount = 0;
    this.#captureTime.reconnected();
    const open = this.#url.protocol === 'https:' ? requestHttps : requestHttp;
    // No agent: a connection of the pool could belong to a camera that has been replaced.
    const request = open(this.#url, { headers: this.#headers, agent: false });
    this.#request = request;
    this.#watchSilence();
    request.on('response', (response) => this.#read(request, response));
    request.on('error', (error) => this.#lose(request, error.message));
    request.end();
  }

  #read(request: ClientRequest, response: IncomingMessage): void {
    if (request !== this.#request) return;
    const boundary = /^multipart\/x-mixed-replace\s*;.*boundary="?([^";]{1,70})"?/i.exec(
      response.headers['content-type'] ?? '',
    )?.[1];
    if (response.statusCode !== 200 || boundary === undefined) {
      this.#lose(
        request,
        `answered ${response.statusCode} ${response.headers['content-type'] ?? 'without a type'}, an MJPEG stream was expected`,
      );
      return;
    }
    const reader = new MultipartJpegReader(boundary, this.#settings.partBytesMax);
    this.#readMonoMs = this.#clock.now().monoMs;
    response.on('data', (chunk: Buffer) => {
      if (request !== this.#request) return;
      this.#byteCount += chunk.length;
      const nowMs = this.#clock.now().monoMs;
      // Bytes that lay in the buffers while this program was busy count from when it last looked.
      const isStalled = nowMs - this.#readMonoMs > stallMsMin;
      const sinceMs = isStalled ? this.#readMonoMs : nowMs;
      for (const event of reader.push(chunk, nowMs)) this.#take(event, sinceMs);
      this.#readMonoMs = nowMs;
    });
    response.on('error', (error) => this.#lose(request, error.message));
    response.on('close', () => {
      if (request === this.#request) for (const event of reader.end()) this.#take(event, 0);
      this.#lose(request, 'the camera ended the stream');
    });
  }

  #take(event: PartEvent, sinceMs: number): void {
    if (event.kind === 'discarded') {
      this.#outlet.discard(event.cause, event.byteCount);
      return;
    }
    this.#watchSilence();
    this.#attemptCount = 0;
    this.#outlet.clear('camera.offline');
    this.#outlet.clear('camera.bad-picture');
    const { jpeg, stampMs, arrivedMonoMs } = event;
    if (this.#outlet.latest?.jpeg.equals(jpeg) === true) {
      this.#repeatCount += 1;
      this.#outlet.count('repeated');
      const { repeatCountMax } = this.#settings;
      if (this.#repeatCount >= repeatCountMax)
        this.#outlet.raise('camera.frozen', `${repeatCountMax} pictures in a row are the same bytes`);
      return;
    }
    this.#repeatCount = 0;
    this.#outlet.clear('camera.frozen');
    const unstampedMs = Math.min(arrivedMonoMs, sinceMs) - this.#settings.unstampedDelayMs;
    const capturedMs = stampMs === null ? unstampedMs : this.#captureTime.capturedMonoMs(stampMs, arrivedMonoMs);
    this.#outlet.deliver(jpeg, arrivedMonoMs, capturedMs);
  }

  #watchSilence(): void {
    this.#cancelSilence();
    const { silenceMsMax } = this.#settings;
    const before = this.#byteCount;
    this.#cancelSilence = this.#clock.after(silenceMsMax, () => {
      const byteCount = this.#byteCount - before;
      if (byteCount > 0)
        this.#outlet.raise('camera.bad-picture', `${byteCount} bytes and no whole picture in ${silenceMsMax} ms`);
      this.#reopen(`no whole picture in ${silenceMsMax} ms`);
    });
  }

  #lose(request: ClientRequest, detail: string): void {
    if (request === this.#request) this.#reopen(detail);
  }

  /** Drops the connection with all that may still be in it, and tries again later. */
  #reopen(detail: string): void {
    this.#disconnect();
    if (!this.#isOpen) return;
    this.#outlet.count('losses');
    this.#outlet.raise('camera.offline', detail);
    const { reopenMsMin, reopenMsMax } = this.#settings;
    const waitMs = Math.min(reopenMsMax, reopenMsMin * 2 ** Math.min(this.#attemptCount, 16));
    this.#attemptCount += 1;
    this.#cancelReopen = this.#clock.after(waitMs, () => this.#connect());
  }

  #disconnect(): void {
    this.#cancelSilence();
    const request = this.#request;
    this.#request = null;
    request?.destroy();
  }
}
