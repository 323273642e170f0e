import { describe, expect, it } from 'vitest';
import { lampBoard } from '../../hardware-sim/lamp-board.ts';

const [data, clock, latch, outputEnable] = [1, 2, 3, 4];
const wiring = { kind: 'chain', data, clock, latch, outputEnable, registerCount: 1, isActiveLow: false } as const;

function shiftIn(board: ReturnType<typeof lampBoard>, bits: readonly (0 | 1)[]) {
  for (const bit of bits) {
    board.levelChanged(data, bit);
    board.levelChanged(clock, 1);
    board.levelChanged(clock, 0);
  }
}

describe('a simulated chain of shift registers', () => {
  it('is dark while nothing drives its output enable, and shows its random content once something pulls it low', () => {
    const board = lampBoard(wiring);
    expect(board.lit()).toEqual([]);
    board.levelChanged(outputEnable, 0);
    expect(board.lit()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    board.levelChanged(outputEnable, null);
    expect(board.lit()).toEqual([]);
  });

  it('moves the first bit furthest and shows bits only on the rising latch', () => {
    const board = lampBoard(wiring);
    shiftIn(board, [1, 0, 0, 0, 0, 0, 1, 0]);
    board.levelChanged(outputEnable, 0);
    expect(board.lit()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    board.levelChanged(latch, 1);
    expect(board.lit()).toEqual([1, 7]);
    shiftIn(board, [1, 1, 1]);
    board.levelChanged(latch, 0);
    expect(board.lit()).toEqual([1, 7]);
  });

  it('shifts on rising edges only', () => {
    const board = lampBoard(wiring);
    shiftIn(board, [0, 0, 0, 0, 0, 0, 0, 0]);
    board.levelChanged(data, 1);
    board.levelChanged(clock, 1);
    board.levelChanged(clock, 1);
    board.levelChanged(clock, 0);
    board.levelChanged(latch, 1);
    board.levelChanged(outputEnable, 0);
    expect(board.lit()).toEqual([0]);
  });

  it('lights active-low lamps on zeros', () => {
    const board = lampBoard({ ...wiring, isActiveLow: true });
    shiftIn(board, [1, 1, 1, 1, 1, 0, 1, 1]);
    board.levelChanged(latch, 1);
    board.levelChanged(outputEnable, 0);
    expect(board.lit()).toEqual([2]);
  });

  it('keeps the picture of direct lamps by level, dark where nothing drives the line', () => {
    const board = lampBoard({ kind: 'direct', lines: [20, 21], isActiveLow: true });
    board.levelChanged(20, 0);
    board.levelChanged(21, 1);
    board.levelChanged(22, 0);
    expect(board.lit()).toEqual([20]);
    board.levelChanged(20, null);
    expect(board.lit()).toEqual([]);
  });
});
