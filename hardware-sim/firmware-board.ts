import type { Answer, AnswerFields, Report } from '../firmware-protocol/messages.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { OnActivation } from './shaker-physics.ts';

/** Why a board starts, as its banner says. */
export type BootCause = 'power' | 'brown-out' | 'watchdog' | 'reset';

/** One controller board from one start to the next, with the sensors around it. Written in TypeScript: `FirmwareModel`; the compiled
 *  firmware in simavr: `AvrBoard`. Both pass `test/contracts/shaker-contract.ts` behind a `SerialShaker`. */
export interface FirmwareBoard {
  readonly isMotorOn: boolean;
  /** As the board's memory keeps it. */
  readonly lastOrder: AnswerFields<'last'>;
  /** Lets the boot banner through to the host once; a board that was not asked starts without one, as when the banner got lost. */
  announce(cause: BootCause): void;
  /** Bytes from the host. */
  receive(chunk: Uint8Array): void;
  /** Power gone: everything stands, nothing is said any more. */
  powerOff(): void;
  setLid(lid: 'open' | 'closed'): void;
  setSupply(supply: 'ok' | 'low'): void;
  /** A hand moves the cover. */
  setCover(cover: 'open' | 'closed'): void;
  /** The motor stalls; on a board with real physics one that stands stalls at its next start. */
  jam(): void;
  tamper(): void;
}

/** What a board is made of by whoever simulates the line. */
export interface BoardParts {
  readonly clock: Clock;
  readonly cause: BootCause;
  readonly hasCover: boolean;
  readonly deviceId: string;
  readonly onActivation: OnActivation;
  /** Takes the bytes of one line, LF included. */
  readonly send: (line: Buffer, said: Answer | Report) => void;
}
