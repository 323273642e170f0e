import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import type { GpioTree } from '../../hardware-sim/gpio-tree.ts';
import { namespaceCommand } from '../../hardware-sim/in-gpio-namespace.ts';
import { type LampsProcess, lampOptions, shiningZones, startLampsProcess, startLampTree } from './gpio-lamps-process.ts';
import type { ProgramOptions } from './gpio-lamps-program.ts';

let tree: GpioTree | null = null;
let lamps: LampsProcess | null = null;

async function openOn(startedTree: GpioTree, options: ProgramOptions) {
  tree = startedTree;
  lamps = startLampsProcess(tree.spawn, options);
  return { report: await lamps.order('open'), tree, lamps };
}

afterEach(async () => {
  await lamps?.end('SIGKILL');
  await tree?.close();
  tree = null;
  lamps = null;
});

describe('lamps whose lines make trouble at the start', () => {
  it('finds the chip by its label when other chips come before it', async () => {
    const chips = [
      { label: 'gpio-brcmvirt', base: 0, lineCount: 8 },
      { label: 'pinctrl-bcm2711', base: 512, lineCount: 58 },
      { label: 'raspberrypi-exp-gpio', base: 570, lineCount: 8 },
    ];
    const { report, tree, lamps } = await openOn(await startLampTree('direct', false, { chips }), lampOptions('direct', false));
    expect(report).toEqual({ condition: 'ok', problems: [], lit: [] });
    await lamps.order({ show: ['small'] });
    expect(await tree.lit()).toEqual([521]);
  });

  it('names the chips it found when none has the label', async () => {
    const options = { ...lampOptions('chain', false), chipLabel: 'pinctrl-rp1' };
    const { report } = await openOn(await startLampTree('chain', false), options);
    expect(report).toEqual({
      condition: 'offline',
      problems: ['no GPIO chip is labelled "pinctrl-rp1"; found: pinctrl-bcm2711'],
      lit: [],
    });
  });

  it('refuses to guess between two chips with the same label', async () => {
    const chips = [
      { label: 'pinctrl-bcm2711', base: 512, lineCount: 58 },
      { label: 'pinctrl-bcm2711', base: 600, lineCount: 58 },
    ];
    const { report } = await openOn(await startLampTree('chain', false, { chips }), lampOptions('chain', false));
    expect(report.problems).toEqual(['2 GPIO chips are labelled "pinctrl-bcm2711" (first lines 512, 600)']);
  });

  it.each(['no controller', 'no GPIO at all'] as const)(
    'plays on without lamps and says so on a machine with %s',
    async (machine) => {
      if (machine === 'no controller') {
        const { report, lamps } = await openOn(await startLampTree('chain', false, { chips: [] }), lampOptions('chain', false));
        expect(report.problems).toEqual(['no GPIO chip is labelled "pinctrl-bcm2711"; found: none']);
        expect(await lamps.order({ show: ['big'] })).toMatchObject({ condition: 'offline', lit: [] });
        return;
      }
      lamps = startLampsProcess(
        (command, args, options) => {
          const [program, all] = namespaceCommand('mount -t tmpfs tmpfs /sys/class', command, args);
          return spawn(program, all, options);
        },
        lampOptions('chain', false),
      );
      expect(await lamps.order('open')).toEqual({
        condition: 'offline',
        problems: ['this machine shows no GPIO lines (/sys/class/gpio cannot be read)'],
        lit: [],
      });
      expect(await lamps.order({ show: ['big'] })).toMatchObject({ condition: 'offline', lit: [] });
      expect(await lamps.order('close')).toMatchObject({ condition: 'offline' });
    },
  );

  it('lights all other lamps when one line is busy and one is unknown to the kernel', async () => {
    const faults = { exportErrors: { 514: 'EBUSY', 527: 'EINVAL' } } as const;
    const { report, tree, lamps } = await openOn(await startLampTree('direct', true, { faults }), lampOptions('direct', true));
    expect(report).toEqual({
      condition: 'degraded',
      problems: [
        'line 514 (zone big): busy: another driver or program holds it (EBUSY)',
        'line 527 (zone total-4): not known to the kernel (EINVAL)',
      ],
      lit: [],
    });
    expect((await lamps.order({ show: ['big', 'small', 'total-4'] })).lit).toEqual(['small']);
    expect(await shiningZones(tree, 'direct')).toEqual(['small']);
  });

  it('leaves the whole chain dark when one of its four lines cannot be taken', async () => {
    const faults = { exportErrors: { 518: 'EINVAL' } } as const;
    const { report, tree, lamps } = await openOn(await startLampTree('chain', false, { faults }), lampOptions('chain', false));
    expect(report).toEqual({
      condition: 'offline',
      problems: ['line 518 (clock of the lamp chain): not known to the kernel (EINVAL)'],
      lit: [],
    });
    expect((await lamps.order({ show: ['big'] })).lit).toEqual([]);
    expect(await tree.litHistory()).toEqual([]);
  });

  it.each(['chain', 'direct'] as const)(
    'waits for a %s line whose direction stays unwritable for 600 ms after the export',
    async (kind) => {
      const faults = { unwritableMs: { 514: 600, 525: 600 } };
      const startedTree = await startLampTree(kind, true, { faults });
      const { report, tree, lamps } = await openOn(startedTree, lampOptions(kind, true));
      expect(report).toEqual({ condition: 'ok', problems: [], lit: [] });
      await lamps.order({ show: ['big'] });
      expect(await shiningZones(tree, kind)).toEqual(['big']);
      expect((await tree.litHistory()).length).toBe(1);
    },
  );

  it('gives a line up whose direction never becomes writable, and lights the others', async () => {
    const faults = { unwritableMs: { 514: 3_600_000 } };
    const startedTree = await startLampTree('direct', false, { faults });
    const { report, tree, lamps } = await openOn(startedTree, { ...lampOptions('direct', false), timeScale: 10 });
    expect(report).toMatchObject({
      condition: 'degraded',
      problems: ['line 514 (zone big): no permission (EACCES); is the user in the group "gpio"?'],
    });
    await lamps.order({ show: ['big', 'small'] });
    expect(await shiningZones(tree, 'direct')).toEqual(['small']);
  });

  it('does not believe a line whose direction cannot be set', async () => {
    const startedTree = await startLampTree('direct', false, { faults: { stuckDirections: [514] } });
    const { report } = await openOn(startedTree, lampOptions('direct', false));
    expect(report).toMatchObject({
      condition: 'degraded',
      problems: ['line 514 (zone big): does not take the direction "low"'],
    });
  });

  it('says that two lines are too few for eleven lamps, and lights the two', async () => {
    const chips = [{ label: 'pinctrl-bcm2711', base: 512, lineCount: 2 }];
    const zones = Array.from({ length: 11 }, (_, offset) => [`total-${offset}`, offset] as const);
    const options = { ...lampOptions('direct', false), zones };
    const { report, tree, lamps } = await openOn(await startLampTree('direct', false, { chips }), options);
    expect(report.condition).toBe('degraded');
    expect(report.problems[0]).toBe('too few lines: chip pinctrl-bcm2711 has 2, 11 lamps are configured');
    expect(report.problems).toHaveLength(10);
    expect(report.problems[1]).toBe("zone total-2: offset 2 is beyond the chip's last line 1");
    expect((await lamps.order({ show: ['total-0', 'total-1', 'total-2'] })).lit).toEqual(['total-0', 'total-1']);
    expect(await tree.lit()).toEqual([512, 513]);
  });

  it('says that two lines are too few for a chain', async () => {
    const chips = [{ label: 'pinctrl-bcm2711', base: 512, lineCount: 2 }];
    const { report } = await openOn(await startLampTree('chain', false, { chips }), lampOptions('chain', false));
    expect(report.condition).toBe('offline');
    expect(report.problems[0]).toBe('too few lines: data of the lamp chain needs offset 5, chip pinctrl-bcm2711 has 2');
    expect(report.problems).toHaveLength(4);
  });

  it('goes offline when the controller vanishes while it runs, and does not stop the program', async () => {
    const { tree, lamps } = await openOn(await startLampTree('chain', false), lampOptions('chain', false));
    await tree.close();
    expect(await lamps.order({ show: ['big'] })).toMatchObject({ condition: 'offline', lit: [] });
    expect(await lamps.end('SIGTERM')).toBe(0);
  });
});
