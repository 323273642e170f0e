import WebSocket from 'ws';
import type { FeedMessage } from '../src/api/views.ts';

export interface FollowOptions {
  /** Of the table's server, e.g. `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends after this many rounds; null goes on. */
  readonly rounds: number | null;
  /** Called with 1, 2, 3 … when the betting of a round closes. */
  readonly beforeRound: (count: number) => void;
}

/** Tells the table's rounds in lines of text, as the feed brings them. Resolves when the signal aborts, the rounds are over, or the feed ends. */
export function followRounds(options: FollowOptions): Promise<void> {
  const feed = new WebSocket(`${options.address.replace('http', 'ws')}/feed`);
  return new Promise((resolve) => {
    let closedCount = 0;
    let endedCount = 0;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      feed.close();
    };
    options.signal.addEventListener('abort', end);
    if (options.signal.aborted) end();
    feed.on('error', () => {});
    feed.on('close', (code, reason) => {
      if (!isOver) options.say(`The feed closed (${code} ${reason}).`.replace(' )', ')'));
      options.signal.removeEventListener('abort', end);
      resolve();
    });
    feed.on('message', (data) => {
      const message = JSON.parse(String(data)) as FeedMessage;
      if (message.type !== 'event') return;
      const { event } = message;
      const line = lineOf(event);
      if (line !== null) options.say(line);
      if (event.kind === 'bettingClosed') {
        closedCount += 1;
        options.beforeRound(closedCount);
      }
      if (event.kind === 'roundSettled' || event.kind === 'roundVoided') endedCount += 1;
      if (options.rounds !== null && endedCount >= options.rounds) end();
    });
  });
}

type FeedEvent = Extract<FeedMessage, { type: 'event' }>['event'];

function lineOf(event: FeedEvent): string | null {
  switch (event.kind) {
    case 'roundOpened':
      return `Round ${event.roundId}`;
    case 'bettingOpened':
      return '  place your bets';
    case 'bettingClosed':
      return '  no more bets';
    case 'shakeOrdered':
      return `  shake ${event.shakeNumber}${event.cause === null ? '' : ` (again: ${event.cause})`}`;
    case 'shakeFinished':
      return `  ${event.tumbleCount} tumbles`;
    case 'resultDeclared':
      return `  ${event.dice.join(' ')}  total ${event.total}: ${event.winningZones.length} zones lit`;
    case 'roundVoided':
      return `  void (${event.cause}); all bets are refunded`;
    case 'roundHeld':
      return `  held (${event.cause}): a person must act`;
    case 'faultRaised':
      return `  fault: ${event.fault}`;
    case 'faultCleared':
      return `  fault over: ${event.fault}`;
    default:
      return null;
  }
}
