import type { TrayCircle } from '../src/vision/tray-circle.ts';
import type { GuideParts, ProposedValues } from './guide-parts.ts';
import { guidePicture } from './guide-pictures.ts';
import type { InvalidScene } from './sample-plan.ts';

/** Asks for each scene that a table must not take as a result, until all are on disk: what is not shown is not validated.
 *  @param read the calibration that is to be validated. */
export async function scenesStep(
  parts: GuideParts,
  scenes: readonly InvalidScene[],
  tray: TrayCircle,
  read: (jpeg: Buffer) => ProposedValues,
): Promise<void> {
  for (const [index, scene] of scenes.entries()) {
    const isKept = (): boolean => parts.session.rows('test').some((row) => row.class === scene.className);
    while (!isKept()) await oneScene(parts, scene, `Scene ${index + 1} of ${scenes.length}`, tray, read);
  }
}

async function oneScene(
  parts: GuideParts,
  { order, className, isStill }: InvalidScene,
  name: string,
  tray: TrayCircle,
  read: (jpeg: Buffer) => ProposedValues,
): Promise<void> {
  const { front, session } = parts;
  await front.ask('scene', `${name}. ${order}. ENTER when it is so`);
  const frame = await guidePicture(parts, tray, isStill);
  const resolution = session.rows('empty_ref')[0]?.resolution;
  if (frame === null || resolution === undefined) return;
  const { values, cause } = read(frame.jpeg);
  if (cause === 'scene-changed' && isStill) {
    front.say(
      'Camera or tray have moved since the empty tray was taken. Put them back, or stop and begin anew: nothing was kept.',
    );
    return;
  }
  if (values === null) front.say(`Not taken (${cause}): right.`);
  else {
    const text = `It was TAKEN as ${values.join(' ')}. ENTER when the scene was as asked; "again" when it was not`;
    if ((await front.ask('taken', text)).trim().toLowerCase() === 'again') return;
  }
  session.add({
    kind: 'test',
    jpeg: frame.jpeg,
    resolution,
    values: [],
    isValid: false,
    className,
    capturedMs: frame.capturedMonoMs,
  });
}
