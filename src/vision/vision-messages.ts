import type { PictureReading } from '../core/judging/reading.ts';
import type { Look } from './frame-motion.ts';

/** A question of the daemon to the vision process. Answers carry the same number; they come in the order of the questions. */
export type VisionQuestion = { readonly questionNumber: number } & (
  | { readonly kind: 'open'; readonly calibrationFile: string }
  | { readonly kind: 'motion' | 'read'; readonly jpeg: Uint8Array }
);

export type VisionAnswer = { readonly questionNumber: number } & (
  | { readonly kind: 'opened'; readonly calibrationId: string; readonly rssMb: number }
  | { readonly kind: 'looked'; readonly look: Look; readonly rssMb: number }
  | { readonly kind: 'read'; readonly reading: PictureReading; readonly durationMs: number; readonly rssMb: number }
  /** The calibration cannot be used; `code` and `problems` of the InputError. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly problems: readonly string[] }
);
