import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decoded, decodeDeviceLine, decodeRequest } from '../../firmware-protocol/codec.ts';
import { LineReader } from '../../firmware-protocol/line-reader.ts';
import type { DeviceLine } from '../../firmware-protocol/messages.ts';
import { goldenLines } from './golden-lines.ts';

const validLines = goldenLines()
  .filter(({ meaning, direction, text }) => direction === 'to-host' && !meaning.startsWith('discarded') && !text.endsWith('\\r'))
  .map(({ bytes }) => bytes);
const anyLine = fc.constantFrom(...validLines);

function readAll(chunks: readonly Uint8Array[]): readonly Decoded<DeviceLine>[] {
  const found: Decoded<DeviceLine>[] = [];
  const reader = new LineReader(decodeDeviceLine, (decoded) => found.push(decoded));
  for (const chunk of chunks) reader.push(chunk);
  return found;
}

function cut(stream: Buffer, places: readonly number[]): readonly Buffer[] {
  const at = [0, ...places.map((place) => place % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  return at.slice(1).map((end, index) => stream.subarray(at[index], end));
}

describe('any split of the stream', () => {
  it('gives the same messages', () => {
    const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 3, arbitrary: anyLine }, { weight: 1, arbitrary: noise }), { maxLength: 12 }),
        fc.array(fc.nat(4_000), { maxLength: 40 }),
        fc.constantFrom('\n', '\r\n'),
        (parts, places, lineEnd) => {
          const stream = Buffer.concat(parts.flatMap((part) => [part, Buffer.from(lineEnd)]));
          const whole = readAll([stream]);
          expect(readAll(cut(stream, places))).toEqual(whole);
          expect(readAll([...stream].map((byte) => Buffer.of(byte)))).toEqual(whole);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds every good line between noise', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 5 }), fc.uint8Array({ maxLength: 400 }), (lines, noise) => {
        const stream = Buffer.concat([
          Buffer.from(noise),
          ...lines.flatMap((line) => [Buffer.from('\n'), line]),
          Buffer.from('\n'),
        ]);
        const good = readAll([stream]).filter(({ kind }) => kind === 'message');
        expect(good.length).toBeGreaterThanOrEqual(lines.length);
      }),
    );
  });
});

describe('one damaged byte', () => {
  it('voids every golden line wherever a byte is lost or doubled', () => {
    const passed: string[] = [];
    for (const line of validLines) {
      for (let at = 0; at < line.length; at += 1) {
        const lost = Buffer.concat([line.subarray(0, at), line.subarray(at + 1)]);
        const doubled = Buffer.concat([line.subarray(0, at + 1), line.subarray(at)]);
        for (const damaged of [lost, doubled]) {
          if (decodeDeviceLine(damaged).kind === 'message') passed.push(damaged.toString('latin1'));
        }
      }
    }
    expect(passed).toEqual([]);
  });

  it('voids every golden line whatever byte is changed into whatever other', () => {
    let passedCount = 0;
    for (const line of validLines) {
      for (let at = 0; at < line.length; at += 1) {
        for (let value = 0; value < 256; value += 1) {
          if (value === line[at]) continue;
          const damaged = Buffer.from(line);
          damaged[at] = value;
          // A byte changed into LF gives two lines, so the stream is read and not the line alone.
          if (readAll([damaged, Buffer.from('\n')]).some(({ kind }) => kind === 'message')) passedCount += 1;
        }
      }
    }
    expect(passedCount).toBe(0);
  });

  it('voids two lines whose line end was lost', () => {
    fc.assert(
      fc.property(anyLine, anyLine, fc.nat(130), fc.nat(130), (first, second, end, start) => {
        const isWhole = end % first.length === 0 && start % second.length === 0;
        const merged = Buffer.concat([
          first.subarray(0, first.length - (end % first.length)),
          second.subarray(start % second.length),
        ]);
        fc.pre(!merged.equals(first) && !merged.equals(second));
        const [decoded] = readAll([merged, Buffer.from('\n')]);
        expect(decoded?.kind, isWhole ? 'whole lines merged' : 'middle to middle').toBe('discarded');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('random bytes', () => {
  it('never throw and never keep more than a line', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 20 }), (chunks) => {
        const reader = new LineReader(decodeRequest, () => undefined);
        for (const chunk of chunks) {
          reader.push(chunk);
          expect(reader.pendingBytes().length).toBeLessThanOrEqual(128);
        }
      }),
    );
  });

  it('never throw as text that looks like the protocol', () => {
    const token = fc.constantFrom(
      '<',
      '!',
      '>',
      '1',
      ' s=5e1f',
      ' boot=42',
      ' ping',
      ' __proto__',
      ' up=',
      '7',
      '*',
      '1C29B1',
      ' ',
      '=',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), (tokens) => {
        const bytes = Buffer.from(tokens.join(''));
        expect(['message', 'discarded']).toContain(decodeDeviceLine(bytes).kind);
        expect(['message', 'discarded']).toContain(decodeRequest(bytes).kind);
      }),
    );
  });
});
