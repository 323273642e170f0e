import { z } from 'zod';

const share = z.number().min(0).max(1);

const simpleFault = z.discriminatedUnion('kind', [
  /** Neither hears nor says anything, the line stays open. */
  z.strictObject({ kind: z.literal('silent'), isOn: z.boolean() }),
  /** The next `count` requests, answers or events of this verb are swallowed. */
  z.strictObject({
    kind: z.literal('drop'),
    from: z.enum(['request', 'answer', 'event']),
    verb: z.string(),
    count: z.int().min(1).max(1_000),
  }),
  /** The board starts anew: first `noiseByteCount` random bytes and half a banner, then deaf for `deafMs`, then `bannerCount` banners (0: a silent restart). */
  z.strictObject({
    kind: z.literal('reboot'),
    bannerCount: z.int().min(0).max(10).default(1),
    deafMs: z.number().min(0).max(60_000).default(0),
    noiseByteCount: z.int().min(0).max(4_096).default(0),
  }),
  z.strictObject({ kind: z.literal('jam') }),
  z.strictObject({ kind: z.literal('tamper') }),
  z.strictObject({ kind: z.literal('lid'), state: z.enum(['open', 'closed']) }),
  z.strictObject({ kind: z.literal('supply'), state: z.enum(['ok', 'low']) }),
  /** A hand moves the cover. */
  z.strictObject({ kind: z.literal('cover'), state: z.enum(['open', 'closed']) }),
  /** The sensor proves at most these numbers of tumbles in the next activations. */
  z.strictObject({ kind: z.literal('tumbles'), countsMax: z.array(z.int().min(0).max(9)).max(100) }),
  z.strictObject({
    kind: z.literal('wire'),
    split: z.enum(['lines', 'bytes', 'crlf', 'together']).default('lines'),
    lostByteShare: share.default(0),
    doubledByteShare: share.default(0),
    mergedLineShare: share.default(0),
  }),
  /** Bytes without a single LF, as fast as the line takes them. */
  z.strictObject({ kind: z.literal('flood'), byteCount: z.int().min(1).max(1_000_000_000) }),
  /** Raw bytes, e.g. another device's chatter. */
  z.strictObject({ kind: z.literal('bytes'), hex: z.string().regex(/^([0-9a-f]{2})*$/) }),
  /** Another device behind the same name. */
  z.strictObject({ kind: z.literal('persona'), persona: z.enum(['shaker', 'gps', 'ok-to-all', 'echo', 'printer']) }),
]);

/** A fault to inject into the simulated firmware, now, or `delayMs` after it next says something with this verb. One JSON line on the control channel. */
export const firmwareFault = z.union([
  simpleFault,
  z.strictObject({
    kind: z.literal('when'),
    said: z.string(),
    delayMs: z.number().min(0).max(60_000).default(0),
    fault: simpleFault,
  }),
]);

/** See `firmwareFault`. */
export type FirmwareFault = z.input<typeof firmwareFault>;
export type SimpleFault = z.output<typeof simpleFault>;
