import type { FeedMessage, HouseView } from '../../api/views.ts';
import { type DisplayModel, emptyModel, takeMessage } from './display-model.ts';

/** First and longest pause before a new attempt, ms; each attempt doubles it and chance takes up to all of it, so that a thousand displays do
 *  not come back at once. */
const backOffMsMin = 500;
const backOffMsMax = 10_000;
/** Heartbeats that may be missed before the page calls itself not live. */
const missedHeartbeatsMax = 2;

export interface FeedView {
  readonly model: DisplayModel;
  /** The house in force; null until it was fetched. */
  readonly house: HouseView | null;
  /** False as soon as the page cannot know that it shows the present. */
  readonly isLive: boolean;
}

/** The page's one connection: resumes where it left off, and starts again when it is silent or incomplete. */
export class FeedConnection {
  readonly #location: Pick<Location, 'protocol' | 'host' | 'origin'>;
  readonly #subscribers = new Set<() => void>();
  #view: FeedView = { model: emptyModel, house: null, isLive: false };
  #socket: WebSocket | null = null;
  #attemptCount = 0;
  #heardAtMs = 0;

  constructor(location: Pick<Location, 'protocol' | 'host' | 'origin'>) {
    this.#location = location;
  }

  open(): void {
    this.#connect();
    setInterval(() => this.#watchSilence(), 250);
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#subscribers.add(onChange);
    return () => this.#subscribers.delete(onChange);
  };

  readonly view = (): FeedView => this.#view;

  #connect(): void {
    const { seq, table } = this.#view.model;
    const query = table === null ? 'snapshot=1' : `after=${seq}&journal=${table.journalId}`;
    const scheme = this.#location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${this.#location.host}/feed?${query}`);
    this.#socket = socket;
    this.#heardAtMs = performance.now();
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(data)) as FeedMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #take(message: FeedMessage): void {
    this.#heardAtMs = performance.now();
    const model = takeMessage(this.#view.model, message, this.#heardAtMs);
    if (model.hasGap) {
      this.#lost();
      return;
    }
    const isOtherHouse = model.table?.houseId !== this.#view.model.table?.houseId;
    if (!this.#view.isLive || isOtherHouse) void this.#fetchHouse();
    this.#attemptCount = 0;
    this.#show({ ...this.#view, model, isLive: true });
  }

  /** Lets go of the socket, says so, and tries again later. */
  #lost(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    // After a gap the numbers since `seq` are asked for again; if even that is refused the snapshot comes.
    this.#show({ ...this.#view, model: { ...this.#view.model, hasGap: false }, isLive: false });
    const pauseMs = Math.min(backOffMsMax, backOffMsMin * 2 ** this.#attemptCount) * (0.5 + Math.random() / 2);
    this.#attemptCount += 1;
    setTimeout(() => this.#connect(), pauseMs);
  }

  #watchSilence(): void {
    if (this.#socket === null) return;
    const limitMs = missedHeartbeatsMax * this.#view.model.heartbeatMs;
    if (performance.now() - this.#heardAtMs > limitMs) this.#lost();
  }

  async #fetchHouse(): Promise<void> {
    try {
      const answer = await fetch(`${this.#location.origin}/api/house`);
      if (!answer.ok) throw new Error(`house: HTTP ${answer.status}`);
      // Read first, then show: messages that came in the meantime must not be overwritten by the view of before.
      const house = (await answer.json()) as HouseView;
      this.#show({ ...this.#view, house });
    } catch {
      // Without the house there is no felt to draw: start again as after any loss.
      if (this.#view.house === null && this.#socket !== null) this.#lost();
    }
  }

  #show(view: FeedView): void {
    this.#view = view;
    for (const subscriber of this.#subscribers) subscriber();
  }
}
