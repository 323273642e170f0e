import type { FaultFact } from '../core/round/facts.ts';
import { isOrderJump, orderJumpMax } from '../core/round/order-jump.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader } from '../ports/dice-reader.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { Lamps } from '../ports/lamps.ts';
import type { Shaker } from '../ports/shaker.ts';
import type { FaultBoard } from './fault-board.ts';

/** How often the lamps and the surroundings (disk, clock) are looked at, ms. They send no notices of their own. */
export const lookAroundMs = 5_000;

/** What the machine around the table says. */
export interface Surroundings {
  /** Null while the journal's disk has space to spare, else how much is left. */
  diskProblem(): string | null;
  /** False while no time server has set the wall clock. */
  isClockSynchronised(): boolean;
}

/** Carries what the devices say to the fault board. Starts with every link down, so that no round opens before a device has reported. */
export class DeviceWatch {
  readonly #stops: (() => void)[] = [];
  readonly #board: FaultBoard;
  readonly #clock: Clock;
  readonly #lamps: Lamps;
  readonly #surroundings: Surroundings;
  readonly #orderCount: () => number;
  #cancelLook: () => void = () => {};

  /** @param orderCount highest order number given so far. */
  constructor(board: FaultBoard, clock: Clock, lamps: Lamps, surroundings: Surroundings, orderCount: () => number) {
    this.#board = board;
    this.#clock = clock;
    this.#lamps = lamps;
    this.#surroundings = surroundings;
    this.#orderCount = orderCount;
  }

  start(shaker: Shaker, frames: FrameSource, reader: DiceReader, report: (fact: FaultFact) => void): void {
    this.#board.raise('shaker.offline', 'not found yet');
    this.#board.raise('camera.offline', 'no picture yet');
    this.#board.raise('vision.down', 'not started yet');
    this.#stops.push(
      shaker.onNotice((notice) => {
        if (notice.kind === 'online') {
          this.#board.clear('shaker.offline');
          this.#board.clear('shaker.wrong-device');
        } else if (notice.kind === 'ordersSeen') this.#takeOrdersSeen(notice.orderNumber, report);
        else if (notice.kind === 'coverSensed') report({ kind: 'coverSensed', at: this.#clock.now(), position: notice.position });
        else if (notice.kind === 'offline') this.#board.raise('shaker.offline', notice.detail);
        else if (notice.kind === 'tamper') report({ kind: 'tamperSensed', at: this.#clock.now(), detail: notice.detail });
        else if (notice.kind === 'faultRaised') this.#board.raise(notice.fault, notice.detail);
        else if (notice.kind === 'faultCleared') this.#board.clear(notice.fault);
      }),
      frames.onNotice((notice) => {
        if (notice.kind === 'frame') this.#board.clear('camera.offline');
        else if (notice.kind === 'faultRaised') this.#board.raise(notice.fault, notice.detail);
        else if (notice.kind === 'faultCleared') this.#board.clear(notice.fault);
      }),
      reader.onNotice((notice) => {
        if (notice.kind === 'up') this.#board.clear('vision.down');
        else this.#board.raise('vision.down', notice.detail);
      }),
    );
    this.#lookAround();
  }

  close(): void {
    this.#cancelLook();
    for (const stop of this.#stops) stop();
  }

  /** Reported all the same, so that the refusal is counted. */
  #takeOrdersSeen(orderNumber: number, report: (fact: FaultFact) => void): void {
    const orderCount = this.#orderCount();
    if (isOrderJump(orderNumber, orderCount)) {
      this.#board.raise(
        'shaker.wrong-device',
        `the shaker remembers order ${orderNumber}, this journal has given ${orderCount}; at most ${orderJumpMax} more are believed: it is another table's, or its memory is spoilt`,
      );
    }
    report({ kind: 'ordersSeen', at: this.#clock.now(), orderNumber });
  }

  #lookAround(): void {
    const { condition, problems } = this.#lamps.status;
    this.#set('lamps.offline', condition === 'offline', problems[0] ?? 'no lamp works');
    this.#set('lamps.degraded', condition === 'degraded', problems[0] ?? 'some lamps do not work');
    const diskProblem = this.#surroundings.diskProblem();
    this.#set('disk.low', diskProblem !== null, diskProblem ?? '');
    this.#set(
      'clock.not-synchronised',
      !this.#surroundings.isClockSynchronised(),
      'no time server has set the clock since it started',
    );
    this.#cancelLook = this.#clock.after(lookAroundMs, () => this.#lookAround());
  }

  #set(fault: Parameters<FaultBoard['raise']>[0], isStanding: boolean, detail: string): void {
    if (isStanding) this.#board.raise(fault, detail);
    else this.#board.clear(fault);
  }
}
