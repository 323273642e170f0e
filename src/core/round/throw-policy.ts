import type { ShakeFailure, WatchFailure } from './faults.ts';
import type { HoldCause, ThrowFault, VoidCause } from './state.ts';

/** What follows from something that went wrong with a throw. This file is the one place to change the re-shake policy. */
export type Remedy =
  /** The throw is void; shake again with wagers standing, up to `shakesMax`. */
  | { readonly kind: 'reshake' }
  /** The throw is void; the house decides by `unreadableThrow`: shake again with wagers standing, or void the round with refund. */
  | { readonly kind: 'by-house' }
  /** The throw stands; look again on fresh frames, up to `readAttemptsMax`. */
  | { readonly kind: 'read-again' }
  /** The throw is void, and a person must act before the next shake. */
  | { readonly kind: 'hold'; readonly cause: HoldCause }
  /** The round is void with refund. */
  | { readonly kind: 'void'; readonly cause: VoidCause }
  /** The round is void and the table is locked. */
  | { readonly kind: 'lock' };

const reshake: Remedy = { kind: 'reshake' };
const byHouse: Remedy = { kind: 'by-house' };

/** By the cause why a throw, or a picture of it, does not count. Rules R3, R5, R6; design section 2. */
export const remedyOfThrow: Readonly<Record<ThrowFault, Remedy>> = {
  // The shake was not a shake (R5), or nobody can tell: repeated whatever the house does with unreadable throws.
  'too-few-tumbles': reshake,
  'tumbles-not-seen': reshake,
  'not-settled': reshake,
  'unknown-shake': reshake,
  // The dice lie so that no value may be taken (R3, R6), or no value can be seen.
  'too-few-dice': byHouse,
  tilted: byHouse,
  overlapping: byHouse,
  'out-of-tray': byHouse,
  moving: byHouse,
  glare: byHouse,
  layout: byHouse,
  'readers-disagree': byHouse,
  'low-contrast': byHouse,
  // Never shake with something in the tray: a hand, an object, a fourth die. Shaking does not remove it.
  'foreign-object': { kind: 'hold', cause: 'foreign-object' },
  'too-many-dice': { kind: 'hold', cause: 'foreign-object' },
  // The picture is bad, not the throw.
  'scene-changed': { kind: 'read-again' },
  'bad-frame': { kind: 'read-again' },
};

/** By the way a shake failed. Loss of the device in mid-shake voids the round: recovery is automatic, repetition is not (SER-08). */
export const remedyOfShake: Readonly<Record<ShakeFailure, Remedy>> = {
  'link-lost': { kind: 'void', cause: 'shaker-lost' },
  rebooted: { kind: 'void', cause: 'shaker-reset' },
  jammed: { kind: 'void', cause: 'shaker-jammed' },
  'no-answer': { kind: 'void', cause: 'shaker-no-answer' },
  refused: { kind: 'void', cause: 'shaker-refused' },
  supply: { kind: 'void', cause: 'shaker-supply' },
  // Somebody is at the shaker.
  'lid-open': { kind: 'hold', cause: 'lid-open' },
  tamper: { kind: 'lock' },
  // Only reaches the table when neither a hold nor a void asked for it: something stopped the motor.
  aborted: { kind: 'hold', cause: 'fault' },
};

/** By the way a move of the cover failed. Nothing is lost while the dice lie still, so a person looks first. */
export const remedyOfCover: Readonly<Record<ShakeFailure, Remedy>> = {
  'link-lost': { kind: 'hold', cause: 'cover-failed' },
  rebooted: { kind: 'hold', cause: 'cover-failed' },
  jammed: { kind: 'hold', cause: 'cover-failed' },
  'no-answer': { kind: 'hold', cause: 'cover-failed' },
  refused: { kind: 'hold', cause: 'cover-failed' },
  supply: { kind: 'hold', cause: 'cover-failed' },
  'lid-open': { kind: 'hold', cause: 'cover-failed' },
  tamper: { kind: 'lock' },
  aborted: { kind: 'hold', cause: 'cover-failed' },
};

/** By the reason why nobody could look at the dice. They lie as they lie: look again, and hold when looking does not help. */
export const remedyOfWatch: Readonly<Record<WatchFailure, Remedy>> = {
  'camera-lost': { kind: 'read-again' },
  'camera-frozen': { kind: 'read-again' },
  'vision-lost': { kind: 'read-again' },
  'timed-out': { kind: 'read-again' },
  'not-calibrated': { kind: 'read-again' },
  'evidence-unwritable': { kind: 'read-again' },
  'not-trusted': { kind: 'read-again' },
};
