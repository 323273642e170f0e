import { z } from 'zod';
import type { Validation } from './validate.ts';

/** What an activation must know of a validation. */
export const validationHeadSchema = z.object({
  schemaVersion: z.literal(1),
  profileId: z.string(),
  profileSha256: z.string().length(64),
  validatedAt: z.iso.datetime(),
  isPassed: z.boolean(),
});

/** Head of a validation's JSON file. */
export type ValidationHead = z.infer<typeof validationHeadSchema>;

/** A validation as JSON text, for machines: all figures, no pictures. */
export function reportJson(validation: Validation, softwareVersion: string): string {
  const { profile, profileSha256, validatedAt, isPassed, camera, throws, ...figures } = validation;
  const head: ValidationHead = { schemaVersion: 1, profileId: profile.id, profileSha256, validatedAt, isPassed };
  const { tray, glare, ...cameraFigures } = camera;
  const glareFigures =
    glare === null ? null : { floorShare: glare.floorShare, largestShare: glare.largestShare, spotCount: glare.spotCount };
  const rows = throws.map(({ labelled, explained: { reading, detail }, outcome, ms, repeats }) => ({
    file: labelled.file,
    sha256: labelled.sha256,
    class: labelled.className,
    truth: labelled.truth,
    verdict: reading.verdict,
    values: reading.values,
    cause: reading.cause,
    outcome,
    ms: Math.round(100 * ms) / 100,
    detail,
    repeats,
  }));
  const all = { ...head, softwareVersion, ...figures, camera: { ...cameraFigures, tray, glare: glareFigures }, throws: rows };
  return `${JSON.stringify(all, null, 1)}\n`;
}
