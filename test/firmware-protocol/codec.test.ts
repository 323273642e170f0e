import { describe, expect, it } from 'vitest';
import { decodeDeviceLine, decodeRequest, encodeDeviceLine, encodeRequest } from '../../firmware-protocol/codec.ts';
import { crc16 } from '../../firmware-protocol/crc16.ts';
import { LineReader } from '../../firmware-protocol/line-reader.ts';
import type { DeviceLine, RequestLine } from '../../firmware-protocol/messages.ts';
import { type GoldenLine, goldenLines } from './golden-lines.ts';

/** What the line reader and the codec make of a golden line with its LF. */
function meaningOf(golden: GoldenLine): string {
  const meanings: string[] = [];
  const reader = new LineReader<RequestLine | DeviceLine>(
    golden.direction === 'to-device' ? decodeRequest : decodeDeviceLine,
    (decoded) => {
      if (decoded.kind === 'discarded') {
        meanings.push(`discarded ${decoded.cause}`);
        return;
      }
      const line = decoded.message;
      const head = line.kind === 'request' ? [line.number, line.session] : [line.number, line.session, line.boot];
      const fields = Object.entries(line.said.fields).map(([key, value]) => `${key}=${value}`);
      meanings.push([line.kind, ...head, line.said.verb, ...fields].join(' '));
    },
  );
  reader.push(Buffer.concat([golden.bytes, Buffer.from('\n')]));
  return meanings.join(' | ');
}

describe('golden lines', () => {
  it('are there in number', () => {
    expect(goldenLines().length).toBeGreaterThan(100);
  });

  it.each(goldenLines())('$direction $text', (golden) => {
    expect(meaningOf(golden)).toBe(golden.meaning);
  });

  it('are what encoding gives, byte by byte', () => {
    const wrong: string[] = [];
    for (const golden of goldenLines()) {
      if (golden.meaning.startsWith('discarded') || golden.text.endsWith('\\r')) continue;
      const decoded = golden.direction === 'to-device' ? decodeRequest(golden.bytes) : decodeDeviceLine(golden.bytes);
      if (decoded.kind === 'discarded') throw new Error(golden.text);
      const line = decoded.message;
      const encoded = line.kind === 'request' ? encodeRequest(line) : encodeDeviceLine(line);
      if (!encoded.equals(Buffer.concat([golden.bytes, Buffer.from('\n')]))) wrong.push(golden.text);
    }
    expect(wrong).toEqual([]);
  });

  it('name every verb of the protocol', () => {
    const verbs = (kind: string, place: number) =>
      new Set(goldenLines().flatMap(({ meaning }) => (meaning.startsWith(kind) ? [meaning.split(' ')[place]] : [])));
    expect([...verbs('request', 3)].sort()).toEqual([
      'clear',
      'cover',
      'hello',
      'last',
      'limits',
      'ping',
      'shake',
      'status',
      'stop',
    ]);
    expect([...verbs('answer', 4)].sort()).toEqual([
      'clear',
      'cover',
      'hello',
      'last',
      'limits',
      'ping',
      'refused',
      'shake',
      'status',
      'stop',
    ]);
    expect([...verbs('event', 4)].sort()).toEqual([
      'activation',
      'boot',
      'cover',
      'ended',
      'jam',
      'lid',
      'settled',
      'supply',
      'tamper',
      'tumble',
    ]);
  });
});

describe('the checksum', () => {
  it('gives the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16(Buffer.from('123456789'))).toBe(0x29b1);
  });
});

describe('encoding', () => {
  it('refuses values that the protocol cannot say', () => {
    const ask = (fields: { order: number; activations: number; tumbles: number; by: number }) => () =>
      encodeRequest({ kind: 'request', number: 1, session: '5e1f', said: { verb: 'shake', fields } });
    expect(ask({ order: 0, activations: 1, tumbles: 3, by: 0 })).toThrow(RangeError);
    expect(ask({ order: 1, activations: 1.5, tumbles: 3, by: 0 })).toThrow(RangeError);
    expect(ask({ order: 1, activations: 1, tumbles: Number.NaN, by: 0 })).toThrow(RangeError);
    expect(ask({ order: 1, activations: 1, tumbles: 3, by: -1 })).toThrow(RangeError);
    expect(() => encodeRequest({ kind: 'request', number: 0, session: '5e1f', said: { verb: 'ping', fields: {} } })).toThrow(
      RangeError,
    );
    expect(() => encodeRequest({ kind: 'request', number: 1, session: '5E1F', said: { verb: 'ping', fields: {} } })).toThrow(
      RangeError,
    );
  });
});
