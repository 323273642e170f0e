import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from './run-captured.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');

describe('sicbo read --overlay', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sicbo-read-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('sorts the drawn pictures by verdict and overwrites none of the same name', async () => {
    mkdirSync(join(folder, 'other'));
    copyFileSync(join(fixtures, 'rig-d_019.jpg'), join(folder, 'other', 'rig-d_018.jpg'));
    const pictures = [join(fixtures, 'rig-d_018.jpg'), join(folder, 'other', 'rig-d_018.jpg'), join(fixtures, 'rig-d_060.jpg')];

    const overlays = join(folder, 'overlays');
    const { exitCode } = await runCaptured(
      `read --profile ${join(fixtures, 'calibration.json')} --overlay ${overlays} ${pictures.join(' ')}`,
    );

    expect(exitCode).toBe(0);
    expect(readdirSync(overlays).sort()).toEqual(['accepted', 'refused-tilted']);
    expect(readdirSync(join(overlays, 'accepted')).sort()).toEqual(['2-rig-d_018.jpg', 'rig-d_018.jpg']);
    expect(readdirSync(join(overlays, 'refused-tilted'))).toEqual(['rig-d_060.jpg']);
    const drawn = join(overlays, 'accepted', 'rig-d_018.jpg');
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 });
    expect(readFileSync(drawn).equals(readFileSync(pictures[0] as string))).toBe(false);
  });
});
