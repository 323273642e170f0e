import { identifier, oneOf, type ValuesOf, wholeNumber } from './fields.ts';

/** Version that this host speaks. Source: firmware-protocol/README.md. */
export const protocolVersion = 1;
/** Longest line in bytes, its LF included (README section 1). */
export const lineBytesMax = 128;
/** What a shaker calls itself in `hello`. */
export const shakerDevice = 'sicbo-shaker';
/** Tag of a device that has no session. */
export const noSession = '0000';
/** Highest request, event and order numbers; request and event numbers go on with 1. */
export const lineNumberMax = 65_535;
export const orderNumberMax = 2_147_483_647;

const u8 = wholeNumber(0, 255);
const u16 = wholeNumber(0, 65_535);
const u32 = wholeNumber(0, 4_294_967_295);
const order = wholeNumber(1, orderNumberMax);
/** How an order may have ended, in the order in which the firmware numbers them (firmware-protocol/reference/src/words.h). */
export const orderOutcomes = [
  'none',
  'running',
  'settled',
  'unsettled',
  'done',
  'stopped',
  'jammed',
  'lid-open',
  'tamper',
  'supply',
  'quiet',
  'lost',
  'cover-stuck',
] as const;
const outcome = oneOf(...orderOutcomes);

/** Requests by verb: fields in wire order (README section 3). `by`: device time in ms after which the order is void. */
export const requestFields = {
  hello: { protocol: u8 },
  limits: {},
  ping: {},
  status: {},
  last: {},
  shake: { order, activations: wholeNumber(1, 255), tumbles: wholeNumber(1, 255), by: u32 },
  cover: { order, to: oneOf('open', 'closed'), by: u32 },
  stop: {},
  clear: {},
} as const;

/** Answers by verb (README section 3). `up`: device time in ms since its start. Durations of `limits` in ms. */
export const answerFields = {
  hello: { device: identifier(16), id: identifier(16), fw: identifier(8), protocol: u8, up: u32 },
  limits: { motor: u16, settle: u16, cover: u16, quiet: u16, tumbles: u8, activations: u8 },
  ping: { up: u32 },
  status: {
    up: u32,
    state: oneOf('idle', 'shaking', 'moving'),
    lid: oneOf('closed', 'open'),
    cover: oneOf('none', 'closed', 'open', 'moving'),
    supply: oneOf('ok', 'low'),
    jam: oneOf('off', 'on'),
    tamper: oneOf('off', 'on'),
  },
  last: { order: wholeNumber(0, orderNumberMax), kind: oneOf('none', 'shake', 'cover'), outcome, activations: u8, tumbles: u8 },
  shake: { order, taken: oneOf('new', 'again') },
  cover: { order, taken: oneOf('new', 'again') },
  stop: {},
  clear: {},
  refused: {
    cause: oneOf(
      'no-session',
      'protocol',
      'busy',
      'old-order',
      'too-late',
      'out-of-range',
      'no-cover',
      'lid-open',
      'jammed',
      'tamper',
      'supply',
    ),
  },
} as const;

/** Events by verb (README section 5). `strength` in thousandths of g. */
export const eventFields = {
  boot: { fw: identifier(8), protocol: u8, cause: oneOf('power', 'brown-out', 'watchdog', 'reset') },
  activation: { order, number: u8 },
  tumble: { order, activation: u8, number: u8, strength: u16 },
  settled: { order, activation: u8 },
  ended: { order, outcome, activations: u8, tumbles: u8 },
  lid: { state: oneOf('closed', 'open') },
  cover: { state: oneOf('closed', 'open', 'moving') },
  supply: { state: oneOf('ok', 'low') },
  jam: { state: oneOf('off', 'on') },
  tamper: { state: oneOf('off', 'on') },
} as const;

type Said<Tables> = { [Verb in keyof Tables]: { readonly verb: Verb; readonly fields: ValuesOf<Tables[Verb]> } }[keyof Tables];

/** What the host can ask. */
export type Question = Said<typeof requestFields>;
/** What the device can answer. */
export type Answer = Said<typeof answerFields>;
/** What the device can report unasked. */
export type Report = Said<typeof eventFields>;

/** Values of one answer. */
export type AnswerFields<Verb extends keyof typeof answerFields> = ValuesOf<(typeof answerFields)[Verb]>;
/** What became of an order. */
export type OrderOutcome = AnswerFields<'last'>['outcome'];
/** Why the device did nothing. */
export type RefusalCause = AnswerFields<'refused'>['cause'];

/** A whole line from host to device. `number` 1 to 65535; `session` 4 small hex digits. */
export interface RequestLine {
  readonly kind: 'request';
  readonly number: number;
  readonly session: string;
  readonly said: Question;
}

/** A whole line from device to host. `boot`: boot counter, u32. */
export type DeviceLine = { readonly number: number; readonly session: string; readonly boot: number } & (
  | { readonly kind: 'answer'; readonly said: Answer }
  | { readonly kind: 'event'; readonly said: Report }
);
