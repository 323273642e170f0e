import type { EvidencePicture, PictureReading, ThrowReading } from '../core/judging/reading.ts';
import { judgeThrow } from '../core/judging/throw-consensus.ts';
import type { Frame } from '../ports/frame-source.ts';
import type { EvidenceStore } from '../ports/journal.ts';

/** A picture with what was read from it. */
export interface ReadPicture {
  readonly frame: Frame;
  readonly reading: PictureReading;
}

/** Judges a throw and keeps its pictures: they are on disk before the reading is told to anybody. One picture proves an accepted throw; of a
 *  refused one all are kept, since somebody will ask why.
 *  @throws StorageError `evidence.unwritable`. */
export function judgedThrow(pictures: readonly ReadPicture[], evidence: EvidenceStore, calibrationId: string): ThrowReading {
  const readings = pictures.map(({ reading }) => reading);
  const isAccepted = judgeThrow(readings, [], calibrationId).verdict === 'accepted';
  const kept = isAccepted ? pictures.filter(({ reading }) => reading.verdict === 'accepted').slice(0, 1) : pictures;
  return judgeThrow(readings, keptPictures(kept, evidence), calibrationId);
}

/** The reading of a throw whose dice lie elsewhere than where they came to rest: nobody knows which faces the throw had.
 *  @throws StorageError `evidence.unwritable`. */
export function movedThrow(frame: Frame, evidence: EvidenceStore, calibrationId: string): ThrowReading {
  return {
    verdict: 'refused',
    values: null,
    cause: 'moving',
    dice: [],
    pictureCount: 1,
    agreeingCount: 1,
    evidence: keptPictures([{ frame }], evidence),
    calibrationId,
  };
}

function keptPictures(pictures: readonly { readonly frame: Frame }[], evidence: EvidenceStore): readonly EvidencePicture[] {
  return pictures.map(({ frame }) => ({ sha256: evidence.keep(frame.jpeg), capturedAtMs: frame.capturedWallMs }));
}
