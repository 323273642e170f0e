import { productRoot } from '../../src/product-root.ts';
import { soakSettingsOf } from './soak-settings.ts';

/** What a soak with kills of the daemon does. */
export interface SoakOptions {
  /** How often the daemon is killed, 1 to 100,000. */
  readonly kills: number;
  /** Chance of everything: moments of the kills, dice, load. */
  readonly seed: number;
  /** `real`: `sicbo run` with camera and vision process. `sim`: the same daemon, pictures taken at their word. */
  readonly reader: 'sim' | 'real';
  /** Countdowns go this many times faster than at 1, where a round takes about 3.5 s; 0.1 to 5. The dice take their time. */
  readonly speed: number;
  /** Listeners of the feed, 1 to 1,000. */
  readonly listeners: number;
  /** Pictures a second of the real camera, 5 to 30. */
  readonly frameRate: number;
  readonly say: (line: string) => void;
  /** Ends the soak early. */
  readonly signal: AbortSignal;
}

type Settings = Omit<SoakOptions, 'say' | 'signal'>;

const defaults: Settings = { kills: 200, seed: 1, reader: 'real', speed: 1, listeners: 20, frameRate: 15 };
const bounds = { kills: [1, 100_000], seed: [0, 2 ** 31], speed: [0.1, 5], listeners: [1, 1_000], frameRate: [5, 30] } as const;

export const soakUsage = `npm run soak -- [kills=200] [seed=1] [reader=real|sim] [speed=1] [listeners=20] [frameRate=15]   (in ${productRoot})`;

/** Reads `key=value` arguments; what is left out has its default. @throws Error with what is wrong. */
export function soakSettings(args: readonly string[]): Settings {
  return soakSettingsOf(args, defaults, bounds, soakUsage, { reader: ['sim', 'real'] });
}
