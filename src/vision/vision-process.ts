import { performance } from 'node:perf_hooks';
import { profileOf } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { FrameDecoder } from './frame-decoder.ts';
import { MotionMeter, motionAreaOf } from './motion-meter.ts';
import { readDecoded } from './read-picture.ts';
import { openRig, type Rig } from './rig.ts';
import { isVisionQuestion, type VisionAnswer, type VisionQuestion } from './vision-messages.ts';
import { warmUp } from './warm-up.ts';

/** A calibration at work: the rig, its motion meter, and the last picture of its camera. */
interface Opened {
  readonly rig: Rig;
  readonly meter: MotionMeter;
  readonly decoder: FrameDecoder;
}

/** The child process that alone loads OpenCV: answers one question after the other until its parent goes. */
function main(): void {
  let opened: Opened | null = null;
  process.on('message', (question: unknown) => {
    if (!isVisionQuestion(question)) return;
    if (question.kind === 'close') process.exit(0);
    if (question.kind === 'open') {
      const result = openCalibration(question);
      if (result.opened !== null) {
        opened?.rig.view.referenceMat.release();
        opened?.decoder.close();
        opened = result.opened;
      }
      answer(result.answer);
      return;
    }
    answer(opened === null ? failed(question, 'vision.not-ready', 'no calibration is open') : look(question, opened));
  });
  // A parent that died leaves nobody to answer.
  process.on('disconnect', () => process.exit(0));
}

function openCalibration(question: Extract<VisionQuestion, { kind: 'open' }>): {
  readonly answer: VisionAnswer;
  readonly opened: Opened | null;
} {
  try {
    const profile = profileOf(question.calibration, question.calibrationFile);
    const rig = openRig(profile);
    warmUp(rig);
    const opened = {
      rig,
      meter: new MotionMeter(motionAreaOf(rig.resolution, rig.view, rig.scene)),
      decoder: new FrameDecoder(),
    };
    return { answer: { kind: 'opened', questionNumber: question.questionNumber, calibrationId: profile.id }, opened };
  } catch (error) {
    if (error instanceof InputError) return { answer: failed(question, error.code, error.message, error.problems), opened: null };
    throw error;
  }
}

function look(question: Extract<VisionQuestion, { kind: 'motion' | 'read' }>, { rig, meter, decoder }: Opened): VisionAnswer {
  const { questionNumber, frameNumber, capturedMonoMs } = question;
  const jpeg = Buffer.from(question.jpeg.buffer, question.jpeg.byteOffset, question.jpeg.byteLength);
  const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
  const startMs = performance.now();
  const decoded = decoder.decode(jpeg);
  if (question.kind === 'motion')
    return { kind: 'motion', questionNumber, motion: meter.measureDecoded(frameNumber, capturedMonoMs, decoded), rssMb };
  const { reading, scene } = readDecoded(rig, decoded);
  return { kind: 'reading', questionNumber, reading, scene, durationMs: performance.now() - startMs, rssMb };
}

function failed(question: VisionQuestion, code: string, message: string, problems: readonly string[] = []): VisionAnswer {
  return { kind: 'failed', questionNumber: question.questionNumber, code, message, problems };
}

function answer(message: VisionAnswer): void {
  process.send?.(message);
}

main();
