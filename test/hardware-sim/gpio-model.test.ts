import { describe, expect, it } from 'vitest';
import { type GpioFaults, GpioModel } from '../../hardware-sim/gpio-model.ts';

function openModel(faults: GpioFaults = {}) {
  const levels: [number, 0 | 1 | null][] = [];
  const time = { nowMs: 0 };
  const model = new GpioModel(
    [{ label: 'pinctrl-sim', base: 512, lineCount: 4 }],
    faults,
    () => time.nowMs,
    (line, level) => levels.push([line, level]),
  );
  return { model, levels, time };
}

describe('the simulated kernel GPIO', () => {
  it('exports each of its lines once, as an input, and no line beyond its chip', () => {
    const { model } = openModel();
    expect(model.write('export', '513\n')).toBe(null);
    expect(model.write('export', '513')).toBe('EBUSY');
    expect(model.write('export', '516')).toBe('EINVAL');
    expect(model.write('export', '17')).toBe('EINVAL');
    expect(model.list('')).toEqual(['export', 'unexport', 'gpiochip512', 'gpio513']);
    expect(model.read('gpio513/direction')).toBe('in\n');
    expect(model.write('gpio513/value', '1')).toBe('EPERM');
  });

  it('drives low on the direction "out", and at once the named level on "high" and "low"', () => {
    const { model, levels } = openModel();
    model.write('export', '512');
    for (const direction of ['out', 'high', 'low', 'in']) model.write('gpio512/direction', direction);
    expect(levels).toEqual([
      [512, 0],
      [512, 1],
      [512, 0],
      [512, null],
    ]);
    expect(model.write('gpio512/direction', 'up')).toBe('EINVAL');
  });

  it('turns values but not directions by active_low, and moves no wire when active_low changes', () => {
    const { model, levels } = openModel();
    model.write('export', '512');
    model.write('gpio512/direction', 'high');
    model.write('gpio512/active_low', '1');
    expect(levels).toEqual([[512, 1]]);
    expect(model.read('gpio512/value')).toBe('0\n');
    model.write('gpio512/value', '1');
    expect(levels.at(-1)).toEqual([512, 0]);
    model.write('gpio512/direction', 'high');
    expect(levels.at(-1)).toEqual([512, 1]);
  });

  it('stops driving a line that is given back', () => {
    const { model, levels } = openModel();
    model.write('export', '512');
    model.write('gpio512/direction', 'high');
    expect(model.write('unexport', '512')).toBe(null);
    expect(levels.at(-1)).toEqual([512, null]);
    expect(model.write('unexport', '512')).toBe('EINVAL');
    expect(model.list('gpio512')).toBe(null);
  });

  it('refuses writers of the direction of a new line for as long as the fault says', () => {
    const { model, time } = openModel({ unwritableMs: { 512: 600 } });
    model.write('export', '512');
    time.nowMs = 599;
    expect(model.writeRefusal('gpio512/direction')).toBe('EACCES');
    expect(model.writeRefusal('gpio512/value')).toBe(null);
    time.nowMs = 600;
    expect(model.writeRefusal('gpio512/direction')).toBe(null);
  });
});
