import { WebSocket } from 'ws';

/** What the listeners' process is told: how many connections to open, where. */
export interface ListenOrder {
  readonly url: string;
  readonly count: number;
}

/** What it answers: all are connected, or when (CLOCK_MONOTONIC, ns as text) each of them got the event that `marker` names by kind and round. */
export type ListenReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'arrived'; readonly marker: string; readonly atNs: readonly string[] };

/** Program of its own, so that the listeners' work is not counted as the server's. Reports the start of each
 *  reading and each result. */
function listen({ url, count }: ListenOrder): void {
  const arrivals = new Map<string, string[]>();
  let openCount = 0;
  for (let index = 0; index < count; index += 1) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    let isFirst = true;
    socket.on('message', (data) => {
      const atNs = process.hrtime.bigint().toString();
      const text = data.toString();
      if (isFirst) {
        isFirst = false;
        openCount += 1;
        if (openCount === count) report({ kind: 'ready' });
        return;
      }
      const [, kind, roundId] = /"event":\{"kind":"(readOrdered|resultDeclared)","roundId":"([^"]+)"/.exec(text) ?? [];
      if (kind === undefined) return;
      const marker = `${kind} ${roundId}`;
      const times = [...(arrivals.get(marker) ?? []), atNs];
      arrivals.set(marker, times);
      if (times.length === count) {
        arrivals.delete(marker);
        report({ kind: 'arrived', marker, atNs: times });
      }
    });
  }
}

function report(message: ListenReport): void {
  process.send?.(message);
}

process.on('message', (order) => listen(order as ListenOrder));
