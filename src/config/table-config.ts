import type { PlaySettings } from '../core/round/settings.ts';
import type { House } from '../core/rules/house.ts';
import type { TableFile } from './table-schema.ts';

/** Where pictures come from. */
export type CameraSource =
  /** `credentials.passwordFile` is the absolute path of a file whose first line is the password. */
  | {
      readonly kind: 'mjpeg';
      readonly url: string;
      readonly credentials: { readonly user: string; readonly passwordFile: string } | null;
    }
  | { readonly kind: 'directory'; readonly folder: string; readonly frameIntervalMs: number };

/** The lamps under the felt. */
export type LampsConfig =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'gpio';
      readonly chipLabel: string;
      readonly isActiveLow: boolean;
      readonly refreshMs: number;
      readonly wiring: LampWiringConfig;
    };

/** How the lamps hang on the controller: `zones` gives zone id to output of the chain, or to line offset on the chip. */
export type LampWiringConfig =
  | {
      readonly kind: 'chain';
      readonly lines: { readonly data: number; readonly clock: number; readonly latch: number; readonly outputEnable: number };
      readonly registerCount: number;
      readonly zones: ReadonlyMap<string, number>;
    }
  | { readonly kind: 'direct'; readonly zones: ReadonlyMap<string, number> };

/** A table as configured, ready to be built: all paths absolute, the house loaded, the play settings merged. */
export interface TableConfig {
  /** Absolute path of the file. */
  readonly path: string;
  /** SHA-256 of the file as read; goes into the journal. */
  readonly sha256: string;
  readonly table: { readonly id: string; readonly name: string; readonly currency: string };
  readonly house: House;
  /** The product's defaults, over them the house's, over them the file's. */
  readonly play: PlaySettings;
  readonly shaker: {
    readonly path: string;
    readonly replyMsMax: number;
    readonly heartbeatMs: number;
    readonly deviceId: string | null;
  };
  readonly camera: { readonly source: CameraSource; readonly silenceMsMax: number; readonly calibrationFile: string };
  readonly lamps: LampsConfig;
  readonly journal: {
    readonly path: string;
    readonly anchorFolder: string;
    readonly evidenceFolder: string;
    readonly evidenceMbMax: number;
    readonly diskFreeMbMin: number;
  };
  readonly api: Readonly<TableFile['api']>;
  readonly log: Readonly<TableFile['log']>;
}
