import { soakSettingsOf } from './soak-settings.ts';

/** What a soak of the feed does (failures.md NET-01). */
export interface FeedSoakOptions {
  /** Records sent while the bad listeners are there, 100 to 10,000,000. */
  readonly records: number;
  /** Good listeners, 1 to 1,900. */
  readonly listeners: number;
  /** After how long without a byte from the table the proxy cuts a connection, ms, 1,200 to 600,000. */
  readonly proxyIdleMs: number;
  /** How long the table then stands still, ms, 0 to 600,000; longer than the proxy's patience. */
  readonly quietMs: number;
  /** Between two signs of life on the feed, ms, 500 to 10,000. */
  readonly heartbeatMs: number;
  readonly seed: number;
}

const defaults: FeedSoakOptions = {
  records: 50_000,
  listeners: 300,
  proxyIdleMs: 60_000,
  quietMs: 70_000,
  heartbeatMs: 5_000,
  seed: 1,
};
const bounds = {
  records: [100, 10_000_000],
  listeners: [1, 1_900],
  proxyIdleMs: [1_200, 600_000],
  quietMs: [0, 600_000],
  heartbeatMs: [500, 10_000],
  seed: [0, 2 ** 31],
} as const;
export const feedSoakUsage =
  'npm run soak -- feed [records=50000] [listeners=300] [proxyIdleMs=60000] [quietMs=70000] [heartbeatMs=5000] [seed=1]';

/** Reads `key=value` arguments. @throws Error with what is wrong. */
export function feedSoakSettings(args: readonly string[]): FeedSoakOptions {
  return soakSettingsOf(args, defaults, bounds, feedSoakUsage);
}
