import { describe, expect, it } from 'vitest';
import { accepted, type LooseFact, playCoveredTo, playTo, type TablePlay } from './table-play.ts';

const answers: readonly (readonly [string, () => TablePlay, (orderNumber: number) => LooseFact])[] = [
  [
    'a finished shake',
    () => playTo('shaking'),
    (orderNumber) => ({ kind: 'shakeFinished', orderNumber, tumbleCount: 3, activationCount: 3, isSettled: true }),
  ],
  ['a failed shake', () => playTo('shaking'), (orderNumber) => ({ kind: 'shakeFailed', orderNumber, cause: 'link-lost' })],
  ['a moved cover', () => playCoveredTo('uncovering'), (orderNumber) => ({ kind: 'coverMoved', orderNumber, position: 'open' })],
  ['a failed cover', () => playCoveredTo('uncovering'), (orderNumber) => ({ kind: 'coverFailed', orderNumber, cause: 'jammed' })],
  ['dice at rest', () => playTo('settling'), (orderNumber) => ({ kind: 'diceRested', orderNumber, motionBurstCount: 3 })],
  ['a failed watch', () => playTo('settling'), (orderNumber) => ({ kind: 'restFailed', orderNumber, cause: 'moving' })],
  ['a reading', () => playTo('reading'), (orderNumber) => ({ kind: 'diceRead', orderNumber, reading: accepted(1, 2, 3) })],
  ['a failed reading', () => playTo('reading'), (orderNumber) => ({ kind: 'readFailed', orderNumber, cause: 'timed-out' })],
  ['a countdown', () => playTo('betting'), (orderNumber) => ({ kind: 'timerElapsed', timer: 'betting', orderNumber })],
];

describe('an answer to another question than the awaited one', () => {
  it.each(answers)('is refused when it is %s, and the right one still counts', (_, play, answer) => {
    const table = play();
    const awaited = table.state.pending?.orderNumber ?? table.state.timer?.orderNumber ?? 0;
    const before = table.state;

    expect(table.take(answer(awaited - 1))).toBe('refused stale-answer');
    expect(table.take(answer(awaited + 1))).toBe('refused stale-answer');

    expect(table.state).toBe(before);
    expect(table.effects).toEqual([]);
    expect(table.take(answer(awaited))).not.toContain('refused');
  });

  it('is refused when a countdown of another name ends', () => {
    const table = playTo('betting');
    const orderNumber = table.state.timer?.orderNumber ?? 0;
    expect(table.take({ kind: 'timerElapsed', timer: 'review', orderNumber })).toBe('refused stale-answer');
  });
});
