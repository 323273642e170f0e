import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Log } from '../../src/ports/log.ts';
import { ProcessWords } from '../../src/vision/process-words.ts';
import { VirtualClock } from '../virtual-clock.ts';

function heardBy(clock: VirtualClock): { said: string[]; leftOut: () => number; words: ProcessWords } {
  const said: string[] = [];
  let leftOutCount = 0;
  const log: Log = { info() {}, warn: (fields) => said.push(JSON.stringify(fields)), error() {} };
  const words = new ProcessWords(clock, log, () => {
    leftOutCount += 1;
  });
  return { said, leftOut: () => leftOutCount, words };
}

it('logs ten lines of the vision process in ten minutes, however many damaged pictures come, and says how many it left out', async () => {
  const clock = new VirtualClock();
  const { said, leftOut, words } = heardBy(clock);
  const output = new PassThrough();
  words.follow(output);
  for (let picture = 0; picture < 1_000; picture += 1) output.write('Corrupt JPEG data: premature end of data segment\n');
  await clock.advance(1_000);
  expect(said.length).toBe(10);
  expect(leftOut()).toBe(990);

  await clock.advance(600_000);
  output.write('Corrupt JPEG data: 2 extraneous bytes before marker 0xd9\n');
  await clock.advance(0);
  expect(said.at(-1)).toBe('{"line":"Corrupt JPEG data: 2 extraneous bytes before marker 0xd9","leftOutCount":990}');
});

it('puts a line together from pieces, and cuts one that never ends', async () => {
  const clock = new VirtualClock();
  const { said, words } = heardBy(clock);
  const output = new PassThrough();
  words.follow(output);
  for (const piece of ['Corrupt ', 'JPEG\nx', 'y'.repeat(2_000), '\n']) output.write(piece);
  await clock.advance(0);
  expect(said.map((text) => (JSON.parse(text) as { line: string }).line)).toEqual(['Corrupt JPEG', `x${'y'.repeat(499)}`]);
});
