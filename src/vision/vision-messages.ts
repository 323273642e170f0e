import type { PictureReading } from '../core/judging/reading.ts';
import type { SceneMeasures } from '../core/judging/scene-measures.ts';
import type { FrameMotion } from '../ports/dice-reader.ts';

/** What the table's side asks the vision process. Every question has a number; the answer carries it. */
export type VisionQuestion =
  /** `calibration` are the bytes of the calibration's file; the table's side keeps them, so that every process reads with the same. */
  | {
      readonly kind: 'open';
      readonly questionNumber: number;
      readonly calibrationFile: string;
      readonly calibration: Uint8Array;
    }
  | {
      readonly kind: 'motion' | 'read';
      readonly questionNumber: number;
      readonly frameNumber: number;
      readonly capturedMonoMs: number;
      readonly jpeg: Uint8Array;
    }
  /** For tests of the table's side only in that any process may stop answering; the process ends itself. */
  | { readonly kind: 'close'; readonly questionNumber: number };

/** What the vision process answers. */
export type VisionAnswer =
  | { readonly kind: 'opened'; readonly questionNumber: number; readonly calibrationId: string }
  | { readonly kind: 'motion'; readonly questionNumber: number; readonly motion: FrameMotion; readonly rssMb: number }
  | {
      readonly kind: 'reading';
      readonly questionNumber: number;
      readonly reading: PictureReading;
      readonly scene: SceneMeasures | null;
      readonly durationMs: number;
      readonly rssMb: number;
    }
  /** The question could not be answered; `code` and `problems` as in `TableError`. */
  | {
      readonly kind: 'failed';
      readonly questionNumber: number;
      readonly code: string;
      readonly message: string;
      readonly problems: readonly string[];
    };

/** True for something that can be an answer; messages come over a pipe from another process. */
export function isVisionAnswer(value: unknown): value is VisionAnswer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    'questionNumber' in value &&
    typeof value.questionNumber === 'number'
  );
}

/** True for something that can be a question. */
export function isVisionQuestion(value: unknown): value is VisionQuestion {
  return isVisionAnswer(value);
}
