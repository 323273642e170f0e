import { readProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { FrameMotionMeter } from './frame-motion.ts';
import { readJpeg } from './read-picture.ts';
import { openRig, type Rig } from './rig.ts';
import type { VisionAnswer, VisionQuestion } from './vision-messages.ts';

/** The child process that loads OpenCV. Answers one question after the other; what goes wrong beyond a bad picture ends the process, and the
 *  daemon starts another. Ends with the daemon. */
function main(): void {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('the vision process is started by the daemon, not by hand');
  let eyes: { readonly rig: Rig; readonly meter: FrameMotionMeter } | null = null;
  const answer = (question: VisionQuestion): VisionAnswer => {
    const { questionNumber } = question;
    if (question.kind === 'open') {
      eyes?.rig.view.referenceMat.release();
      const profile = readProfile(question.calibrationFile);
      const rig = openRig(profile);
      eyes = { rig, meter: new FrameMotionMeter(rig) };
      return { questionNumber, kind: 'opened', calibrationId: profile.id, rssMb: rssMb() };
    }
    if (eyes === null) throw new Error(`question ${question.kind} before a calibration was opened`);
    const jpeg = Buffer.from(question.jpeg.buffer, question.jpeg.byteOffset, question.jpeg.byteLength);
    if (question.kind === 'motion') return { questionNumber, kind: 'looked', look: eyes.meter.look(jpeg), rssMb: rssMb() };
    const startMs = performance.now();
    const { reading } = readJpeg(eyes.rig, jpeg);
    return { questionNumber, kind: 'read', reading, durationMs: performance.now() - startMs, rssMb: rssMb() };
  };
  process.on('message', (question: VisionQuestion) => {
    try {
      send(answer(question));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { code, message, problems } = error;
      send({ questionNumber: question.questionNumber, kind: 'refused', code, message, problems } satisfies VisionAnswer);
    }
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the daemon decides when its eyes close.
  process.on('SIGINT', () => {});
}

function rssMb(): number {
  return process.memoryUsage.rss() / 1_000_000;
}

main();
