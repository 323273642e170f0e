import { type AnswerFields, protocolVersion, shakerDevice } from '../../firmware-protocol/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShakerIdentity } from '../ports/shaker.ts';
import type { LinkConnection } from './link-connection.ts';
import type { LinkTimings } from './link-timings.ts';

/** How a handshake went. */
export type Handshake =
  | {
      readonly kind: 'shaken';
      readonly identity: ShakerIdentity;
      readonly limits: AnswerFields<'limits'>;
      readonly status: AnswerFields<'status'>;
    }
  | { readonly kind: 'failed' | 'wrong-device'; readonly detail: string };

/** Lines that are not understood before a talker is called a wrong device and not noise at start. */
const foreignLinesMin = 3;

/** Shakes hands by firmware-protocol/README.md section 7: sends nothing but `hello` until the right device has answered it.
 *  @param isCurrent false once another session has taken the place of this one; the result is then of no use. */
export async function shakeHands(
  connection: LinkConnection,
  options: { readonly clock: Clock; readonly timings: LinkTimings; readonly deviceId: string | null },
  isCurrent: () => boolean,
): Promise<Handshake> {
  const identity = await sayHello(connection, options, isCurrent);
  if ('kind' in identity) return identity;
  const limits = await askTwice(connection, 'limits');
  const status = limits === null ? null : await askTwice(connection, 'status');
  if (limits === null || status === null) return { kind: 'failed', detail: 'the handshake was not completed' };
  return { kind: 'shaken', identity, limits, status };
}

async function sayHello(
  connection: LinkConnection,
  { clock, timings, deviceId }: { readonly clock: Clock; readonly timings: LinkTimings; readonly deviceId: string | null },
  isCurrent: () => boolean,
): Promise<ShakerIdentity | Exclude<Handshake, { readonly kind: 'shaken' }>> {
  const wrong = (detail: string) => ({ kind: 'wrong-device', detail }) as const;
  const giveUpMs = clock.now().monoMs + timings.handshakeMsMax;
  while (isCurrent()) {
    const sentMs = clock.now().monoMs;
    const result = await connection.request(() => ({ verb: 'hello', fields: { protocol: protocolVersion } }));
    if (!isCurrent()) break;
    if (result.kind === 'answer' && result.said.verb === 'hello') {
      const { device, id, fw, protocol } = result.said.fields;
      if (device !== shakerDevice) return wrong(`"${device}" is no shaker`);
      if (protocol !== protocolVersion) return wrong(`protocol ${protocol} instead of ${protocolVersion}`);
      if (deviceId !== null && id !== deviceId) return wrong(`shaker "${id}" instead of "${deviceId}"`);
      return { deviceId: id, firmwareVersion: fw, protocolVersion: protocol, bootCount: result.boot };
    }
    if (result.kind === 'answer' && result.said.verb === 'refused' && result.said.fields.cause === 'protocol') {
      return wrong(`the device does not speak protocol ${protocolVersion}`);
    }
    if (clock.now().monoMs >= giveUpMs) {
      if (connection.discardedCount >= foreignLinesMin) return wrong('what answers does not speak the shaker protocol');
      return { kind: 'failed', detail: 'no answer to hello' };
    }
    const restMs = sentMs + timings.helloMs - clock.now().monoMs;
    if (restMs > 0) await new Promise<void>((resolve) => clock.after(restMs, resolve));
  }
  return { kind: 'failed', detail: 'another session began' };
}

/** Asks a question without fields, once more when unanswered. @returns null when there is no answer; the connection has then ended itself. */
export async function askTwice<Verb extends 'limits' | 'status'>(
  connection: LinkConnection,
  verb: Verb,
): Promise<AnswerFields<Verb> | null> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const result = await connection.request(() => ({ verb, fields: {} }));
    if (result.kind === 'answer' && result.said.verb === verb) return result.said.fields as AnswerFields<Verb>;
    if (result.kind !== 'no-answer') return null;
  }
  return null;
}
