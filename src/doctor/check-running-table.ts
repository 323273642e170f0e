import { healthViewSchema } from '../api/views.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Longest wait for the running table's answer, ms. */
const answerMsMax = 2_000;

const adviceOf: Readonly<Record<string, string>> = {
  degraded: 'see the devices below; the game goes on',
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
    const advice = adviceOf[health.status];
    const isPlaying = health.status === 'ok' || health.status === 'degraded';
    const table =
      advice === undefined
        ? ok('table', detail)
        : isPlaying
          ? warning('table', detail, advice)
          : problem('table', detail, advice);
    const blocking = new Set(health.standingFaults.filter((fault) => fault.isBlocking).map(({ code }) => code.split('.')[0]));
    const devices = health.devices.map(({ device, isUp, detail: said }) => {
      if (isUp) return ok(device, said);
      const name = `stop the table and run the check again for more about the ${device}`;
      return blocking.has(device) ? problem(device, said, name) : warning(device, said, name);
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
