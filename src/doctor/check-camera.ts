import type { Clock } from '../ports/clock.ts';
import type { Frame, FrameNotice, FrameSource } from '../ports/frame-source.ts';
import { readJpegHeader } from '../vision/jpeg-header.ts';
import { atMost } from './at-most.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Longest wait for the first picture, ms: a network camera answers within a second, one that has just been switched on needs some more. */
const firstPictureMsMax = 5_000;
/** How long pictures are counted, ms. */
const countingMs = 2_000;
/** Fewest pictures a second: 125 ms apart, so that a tumble, which rolls for 200 ms and more (core/judging/motion-bursts.ts), shows in one at least. */
const rateMin = 8;
/** Age from which pictures make each result wait, ms. `MjpegFrames` takes pictures without a time stamp to be 400 ms old. */
const ageMsMax = 350;

/** What the camera shows, and pictures for the reader: at most the last three. */
export interface CameraFindings {
  readonly findings: readonly Finding[];
  readonly frames: readonly Frame[];
}

/** Waits for a picture, then counts for two seconds. The caller closes the source. @param resolution of the calibration; null when there is none. */
export async function checkCamera(
  frames: FrameSource,
  clock: Clock,
  resolution: readonly [number, number] | null,
): Promise<CameraFindings> {
  const notices: FrameNotice[] = [];
  const first = new Promise<void>((resolve) => {
    frames.onNotice((notice) => {
      notices.push(notice);
      if (notice.kind === 'frame') resolve();
    });
  });
  frames.open();
  await atMost(clock, firstPictureMsMax, first);
  if (frames.latest === null) return { findings: [silence(notices)], frames: [] };
  notices.length = 0;
  await new Promise<void>((wake) => {
    clock.after(countingMs, wake);
  });
  const taken = notices.flatMap((notice) => (notice.kind === 'frame' ? [notice.frame] : []));
  const last = taken.slice(-3);
  const newest = last.at(-1) ?? frames.latest;
  return {
    findings: [pictures(notices, taken), rate(taken), age(taken), size(newest, resolution)],
    frames: last.length > 0 ? last : [newest],
  };
}

function silence(notices: readonly FrameNotice[]): Finding {
  const fault = notices.find((notice) => notice.kind === 'faultRaised');
  const cut = notices.filter((notice) => notice.kind === 'discarded').length;
  const why = fault === undefined ? 'it is silent' : fault.detail;
  const detail = `no picture within ${firstPictureMsMax} ms: ${why}${cut > 0 ? `; ${cut} pictures did not arrive whole` : ''}`;
  const advice = /\b401\b/.test(detail)
    ? 'the camera asks for a login: set camera.user and camera.passwordFile'
    : 'check power and network of the camera, and open its address in a browser; the table plays MJPEG over HTTP only';
  return problem('camera', detail, advice);
}

function pictures(notices: readonly FrameNotice[], taken: readonly Frame[]): Finding {
  const fault = notices.find((notice) => notice.kind === 'faultRaised');
  if (fault !== undefined)
    return problem(
      'camera',
      `${fault.fault}: ${fault.detail}`,
      'switch the camera off and on; when it comes back, check its network and its cable',
    );
  const discarded = notices.filter((notice) => notice.kind === 'discarded').length;
  if (taken.length === 0)
    return problem(
      'camera',
      `one picture and no other within ${countingMs} ms, or the same bytes again and again`,
      'switch the camera off and on',
    );
  if (discarded > 0)
    return warning(
      'camera',
      `${discarded} of ${discarded + taken.length} pictures did not arrive whole`,
      'check cable and network of the camera',
    );
  return ok('camera', `${taken.length} whole pictures in ${countingMs / 1_000} s`);
}

function rate(taken: readonly Frame[]): Finding {
  const [first, last] = [taken[0], taken.at(-1)];
  const spanMs = first === undefined || last === undefined ? 0 : last.arrivedMonoMs - first.arrivedMonoMs;
  const perSecond = spanMs > 0 ? ((taken.length - 1) * 1_000) / spanMs : 0;
  const detail = `${perSecond.toFixed(1)} pictures a second, at least ${rateMin} wanted`;
  if (perSecond >= rateMin) return ok('camera rate', detail);
  return problem(
    'camera rate',
    detail,
    'raise the frame rate of the camera, or lower its picture size or quality: tumbles would be missed',
  );
}

/** By the camera's own time stamps, against the picture that was fastest on its way. */
function age(taken: readonly Frame[]): Finding {
  const ages = taken.map((frame) => frame.arrivedMonoMs - frame.capturedMonoMs).sort((a, b) => a - b);
  const median = Math.round(ages[Math.floor(ages.length / 2)] ?? 0);
  const detail = `pictures are ${median} ms old when they arrive, at most ${ageMsMax} ms wanted`;
  if (median <= ageMsMax) return ok('camera age', detail);
  return warning(
    'camera age',
    detail,
    'a camera that sends X-Timestamp with each picture, or has no queue, saves that time before each result',
  );
}

function size(frame: Frame, resolution: readonly [number, number] | null): Finding {
  const header = readJpegHeader(frame.jpeg);
  if (header.kind === 'unusable')
    return problem('camera size', header.detail, 'set the camera to JPEG pictures of 64 to 4096 px');
  const detail = `${header.width} x ${header.height} px`;
  if (resolution === null) return warning('camera size', `${detail}, and no calibration to compare with`, 'calibrate first');
  const isSame = header.width === resolution[0] && header.height === resolution[1];
  if (isSame) return ok('camera size', `${detail}, as calibrated`);
  return problem(
    'camera size',
    `${detail}, calibrated for ${resolution.join(' x ')} px`,
    'set the camera back to the size it was calibrated with, or calibrate again',
  );
}
