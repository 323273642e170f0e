import type { Clock } from '../ports/clock.ts';
import type { Shaker, ShakerIdentity, ShakerNotice } from '../ports/shaker.ts';
import { atMost } from './at-most.ts';
import { checkSerialPort } from './check-serial-port.ts';
import { type Finding, ok, problem } from './finding.ts';
import { programsHolding } from './programs-holding.ts';

/** Longest time from the opening of the port to a handshake, ms: the link's own 5 s, which cover a board's start, its 2 s for the opening, and some. */
export const handshakeMsMax = 7_500;

/** What stands against a shake, and what to do. Keys are the shaker's own fault codes. */
const adviceOf: Readonly<Record<string, string>> = {
  'shaker.lid-open': 'close the lid; when it is closed, look at the lid switch',
  'shaker.supply': 'measure the motor supply at the shaker; replace the power supply or its fuse',
  'shaker.jammed': 'switch the motor off, free the dice cup by hand, then start the table: a supervisor clears the jam there',
  tamper: 'look who was at the shaker; the table locks when it starts, a technician and a supervisor unlock it',
};

/** Looks at the port, shakes hands, and asks the shaker how it stands. Moves nothing. The caller closes the shaker. */
export async function checkShaker(
  config: { readonly path: string; readonly deviceId: string | null },
  shaker: Shaker,
  clock: Clock,
): Promise<readonly Finding[]> {
  const { findings, realPath } = await checkSerialPort(config.path);
  if (realPath === null) return findings;
  const notices: ShakerNotice[] = [];
  const heard = new Promise<void>((resolve) => {
    shaker.onNotice((notice) => {
      notices.push(notice);
      if (notice.kind === 'online' || notice.kind === 'offline') resolve();
    });
  });
  shaker.open();
  await atMost(clock, handshakeMsMax, heard);
  const online = notices.find((notice) => notice.kind === 'online');
  if (online !== undefined) return [...findings, identityOf(online.identity, config.deviceId), ...conditionOf(notices)];
  return [...findings, await silenceOf(notices, realPath)];
}

function identityOf({ deviceId, firmwareVersion, protocolVersion, bootCount }: ShakerIdentity, wanted: string | null): Finding {
  const detail = `${deviceId}, firmware ${firmwareVersion}, protocol ${protocolVersion}, start ${bootCount}`;
  return ok('shaker', detail, wanted === null ? `write deviceId = "${deviceId}" under [shaker] to refuse any other` : null);
}

/** The status follows the handshake at once, so what it says stands in the same notices. */
function conditionOf(notices: readonly ShakerNotice[]): readonly Finding[] {
  const findings = notices.flatMap((notice) => {
    if (notice.kind !== 'tamper' && notice.kind !== 'faultRaised') return [];
    const name = notice.kind === 'tamper' ? 'tamper' : notice.fault;
    return [problem('shaker condition', `${name}: ${notice.detail}`, adviceOf[name] ?? 'see src/core/round/README.md')];
  });
  return findings.length > 0 ? findings : [ok('shaker condition', 'lid closed, supply good, no jam, no tamper')];
}

async function silenceOf(notices: readonly ShakerNotice[], realPath: string): Promise<Finding> {
  for (const notice of notices) {
    if (notice.kind === 'faultRaised' && notice.fault === 'shaker.wrong-device') {
      return problem(
        'shaker',
        `another device answers: ${notice.detail}`,
        'set shaker.path and shaker.deviceId to the shaker of this table',
      );
    }
    if (notice.kind !== 'offline') continue;
    if (/lock/i.test(notice.detail)) {
      const holders = await programsHolding(realPath);
      const by = holders.length > 0 ? holders.join(', ') : 'another program';
      return problem('shaker', `the port is held by ${by} (${notice.detail})`, 'end that program; one table has one controller');
    }
    const advice =
      'check power and cable of the shaker, and that its firmware speaks 115200 baud as firmware-protocol/README.md says';
    return problem('shaker', `no handshake: ${notice.detail}`, advice);
  }
  return problem('shaker', `no handshake within ${handshakeMsMax} ms`, 'check power and cable of the shaker');
}
