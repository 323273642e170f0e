import { crc16 } from './crc16.ts';
import { type Field, wholeNumber } from './fields.ts';
import {
  type Answer,
  answerFields,
  type DeviceLine,
  eventFields,
  lineBytesMax,
  lineNumberMax,
  type Question,
  type Report,
  type RequestLine,
  requestFields,
} from './messages.ts';

/** Why a line does not count. `before-session` is given by who knows the session: a valid line with another session's tag. */
export type DiscardCause = 'bad-crc' | 'too-long' | 'not-ascii' | 'malformed' | 'before-session';

/** What a line means. Bad lines are values, never errors: a noisy line is normal. */
export type Decoded<Line> =
  | { readonly kind: 'message'; readonly message: Line }
  | { readonly kind: 'discarded'; readonly cause: DiscardCause; readonly byteCount: number };

/** Bytes after the body: "*", two digits of length, four of CRC. */
const tailBytes = 7;
const lineNumber = wholeNumber(1, lineNumberMax);
const bootCounter = wholeNumber(0, 4_294_967_295);

/** The bytes of a request, LF included. @throws RangeError for a value that the protocol cannot say. */
export function encodeRequest(line: RequestLine): Buffer {
  return frame(`>${lineNumber.format(line.number)} ${sessionText(line.session)} ${phrase(requestFields, line.said)}`);
}

/** The bytes of an answer or event, LF included. @throws RangeError for a value that the protocol cannot say. */
export function encodeDeviceLine(line: DeviceLine): Buffer {
  const head = `${lineNumber.format(line.number)} ${sessionText(line.session)} boot=${bootCounter.format(line.boot)}`;
  return line.kind === 'answer'
    ? frame(`<${head} ${phrase(answerFields, line.said)}`)
    : frame(`!${head} ${phrase(eventFields, line.said)}`);
}

/** Reads a line from the host. @param bytes the line without its LF (and CR). Never throws. */
export function decodeRequest(bytes: Uint8Array): Decoded<RequestLine> {
  return decode(bytes, (body) => {
    const parts = /^>([0-9]+) s=([0-9a-f]{4}) (.+)$/.exec(body);
    if (parts === null) return null;
    const number = lineNumber.parse(parts[1] ?? '');
    const said = readPhrase(requestFields, parts[3] ?? '');
    if (number === null || said === null) return null;
    return { kind: 'request', number, session: parts[2] ?? '', said: said as Question };
  });
}

/** Reads a line from the device. @param bytes the line without its LF (and CR). Never throws. */
export function decodeDeviceLine(bytes: Uint8Array): Decoded<DeviceLine> {
  return decode(bytes, (body) => {
    const parts = /^([<!])([0-9]+) s=([0-9a-f]{4}) boot=([0-9]+) (.+)$/.exec(body);
    if (parts === null) return null;
    const number = lineNumber.parse(parts[2] ?? '');
    const boot = bootCounter.parse(parts[4] ?? '');
    if (number === null || boot === null) return null;
    const head = { number, session: parts[3] ?? '', boot };
    if (parts[1] === '<') {
      const said = readPhrase(answerFields, parts[5] ?? '');
      return said === null ? null : { ...head, kind: 'answer', said: said as Answer };
    }
    const said = readPhrase(eventFields, parts[5] ?? '');
    return said === null ? null : { ...head, kind: 'event', said: said as Report };
  });
}

function decode<Line>(bytes: Uint8Array, readBody: (body: string) => Line | null): Decoded<Line> {
  const discarded = (cause: DiscardCause): Decoded<Line> => ({ kind: 'discarded', cause, byteCount: bytes.length });
  if (bytes.length > lineBytesMax - 1) return discarded('too-long');
  if (bytes.some((byte) => byte < 0x20 || byte > 0x7e)) return discarded('not-ascii');
  const text = Buffer.from(bytes).toString('latin1');
  const tail = /^\*([0-9A-F]{2})([0-9A-F]{4})$/.exec(text.slice(-tailBytes));
  if (tail === null) return discarded('malformed');
  const hasLength = Number.parseInt(tail[1] ?? '', 16) === bytes.length - tailBytes;
  const hasCrc = Number.parseInt(tail[2] ?? '', 16) === crc16(bytes.subarray(0, -4));
  if (!hasLength || !hasCrc) return discarded('bad-crc');
  const message = readBody(text.slice(0, -tailBytes));
  return message === null ? discarded('malformed') : { kind: 'message', message };
}

function frame(body: string): Buffer {
  const checked = `${body}*${hex(body.length, 2)}`;
  const line = Buffer.from(`${checked}${hex(crc16(Buffer.from(checked, 'latin1')), 4)}\n`, 'latin1');
  if (line.length > lineBytesMax) throw new RangeError(`a line of ${line.length} bytes is longer than ${lineBytesMax}`);
  return line;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function sessionText(session: string): string {
  if (!/^[0-9a-f]{4}$/.test(session)) throw new RangeError(`"${session}" is not a session tag of 4 small hex digits`);
  return `s=${session}`;
}

/** The tables as the generic code sees them. Their literal types make `Question`, `Answer` and `Report`. */
type Tables = Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>>;

function phrase(tables: object, said: { readonly verb: string; readonly fields: object }): string {
  const fields = (tables as Tables)[said.verb];
  if (fields === undefined) throw new RangeError(`"${said.verb}" is not a verb of the protocol`);
  const values = said.fields as Readonly<Record<string, unknown>>;
  return [said.verb, ...Object.entries(fields).map(([key, field]) => `${key}=${field.format(values[key])}`)].join(' ');
}

function readPhrase(tables: object, text: string): { verb: string; fields: Readonly<Record<string, unknown>> } | null {
  const [verb = '', ...pairs] = text.split(' ');
  if (!Object.hasOwn(tables, verb)) return null;
  const fields = Object.entries((tables as Tables)[verb] ?? {});
  if (pairs.length !== fields.length) return null;
  const values: Record<string, unknown> = {};
  for (const [index, [key, field]] of fields.entries()) {
    const pair = pairs[index] ?? '';
    const value = pair.startsWith(`${key}=`) ? field.parse(pair.slice(key.length + 1)) : null;
    if (value === null) return null;
    values[key] = value;
  }
  return { verb, fields: values };
}
