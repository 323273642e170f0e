import { healthViewSchema } from '../api/views.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Longest wait for the running table's answer, ms. */
const answerMsMax = 2_000;

/** Looked at by checks of their own, also beside a running table. */
const checkedAlready: readonly string[] = ['clock', 'disk'];

const adviceOf: Readonly<Record<string, string>> = {
  degraded: 'see what is said of devices, clock and disk; the game goes on',
  blocked: 'see the devices below; no round opens until they are well',
  locked: 'a technician and a supervisor look at the cause and unlock the table',
  stopped: 'the table is ending; ask again',
};

/** Asks the table that runs instead of taking its devices from it. */
export async function checkRunningTable({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<readonly Finding[]> {
  if (port === 0)
    return [
      warning('table', 'a table runs here, on a port of its own choice (api.port = 0)', 'look for "table is ready" in its log'),
    ];
  const address = `http://${reachable(host)}:${port}`;
  const asked = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(answerMsMax) });
    return answer.json();
  };
  try {
    await asked('/healthz');
    const health = healthViewSchema.parse(await asked('/api/health'));
    const detail = `runs at ${address}, phase ${health.phase}, status ${health.status}, record ${health.head.recordNumber}; its devices were not opened, it was asked`;
    const advice =
      health.phase === 'held' ? 'the table waits for a person: a supervisor resumes or voids the round' : adviceOf[health.status];
    const isPlaying = health.status === 'ok' || health.status === 'degraded';
    const table =
      advice === undefined
        ? ok('table', detail)
        : isPlaying
          ? warning('table', detail, advice)
          : problem('table', detail, advice);
    const blocking = new Set(health.standingFaults.filter((fault) => fault.isBlocking).map(({ code }) => code.split('.')[0]));
    const devices = health.devices
      .filter(({ device }) => !checkedAlready.includes(device))
      .map(({ device, isUp, detail: said }) => {
        if (isUp) return ok(device, said);
        const next = `stop the table and run the check again for more about the ${device}`;
        return blocking.has(device) ? problem(device, said, next) : warning(device, said, next);
      });
    return [table, ...devices];
  } catch (error) {
    const detail = `a program holds this table, and ${address}/healthz gives no good answer within ${answerMsMax} ms (${String(error)})`;
    return [
      problem('table', detail, 'look at the log of the daemon; "fuser" on the .lock file beside the journal shows the program'),
    ];
  }
}

/** An address that means "all of mine" is reached over the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
