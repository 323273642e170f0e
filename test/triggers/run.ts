import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { productRoot } from '../../src/product-root.ts';
import { isPassed, reportLines, type Trigger, TriggerBench } from './trigger.ts';
import { triggers } from './trigger-list.ts';
import { type RigPlan, TriggerRig } from './trigger-rig.ts';
import { fullRigs, nearCameraRigs, sampleCalibrations, sampleRigs } from './trigger-rigs.ts';

const usage = `npm run triggers -- [ID]... [--count N] [--samples] [--calibrations FOLDER] [--out FOLDER]
  ID                     ${triggers.map(({ id }) => id).join(', ')}; none: all of them
  --count N              how much is done instead of the full size; what is counted stands beside each trigger in the README of its folder
  --samples              the samples of npm test on their two rigs; missing calibrations of these are made and kept in test/fixtures/triggers
  --calibrations FOLDER  calibrations of the full size are kept there and used again; default: made for this run
  --out FOLDER           report, and pictures that were read wrong with the judge's evidence; default bench-out/triggers`;

/** `npm run triggers`. Exit code 0 when nothing was read wrong and every claim holds, 1 otherwise, 2 when it cannot run. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string' },
      samples: { type: 'boolean', default: false },
      calibrations: { type: 'string', default: join(tmpdir(), `trigger-calibrations-${process.pid}`) },
      out: { type: 'string', default: join(productRoot, 'bench-out', 'triggers') },
    },
  });
  const chosen = positionals.length === 0 ? triggers : triggers.filter(({ id }) => positionals.includes(id));
  const count = values.count === undefined ? null : Number(values.count);
  if (chosen.length < positionals.length || (count !== null && !(Number.isInteger(count) && count > 0))) {
    console.error(usage);
    return 2;
  }
  const opened = new Map<string, TriggerRig>();
  const open = async (plans: readonly RigPlan[], folder: string): Promise<readonly TriggerRig[]> => {
    for (const plan of plans) {
      if (opened.has(plan.name)) continue;
      console.error(`${plan.name}: opening`);
      opened.set(plan.name, await TriggerRig.open(plan, folder));
    }
    return plans.flatMap(({ name }) => opened.get(name) ?? []);
  };
  mkdirSync(values.out, { recursive: true });
  let isAllPassed = true;
  for (const trigger of chosen) {
    const rigs = values.samples
      ? await open(sampleRigs, sampleCalibrations)
      : await open(trigger.rigs === 'all-dice' ? fullRigs : nearCameraRigs, values.calibrations);
    const size = count ?? (values.samples ? trigger.sampleCount : trigger.fullCount);
    const passed = await runTrigger(trigger, new TriggerBench(rigs, size, join(values.out, trigger.id)), values.out);
    isAllPassed &&= passed;
  }
  for (const rig of opened.values()) rig.close();
  return isAllPassed ? 0 : 1;
}

async function runTrigger(trigger: Trigger, bench: TriggerBench, outFolder: string): Promise<boolean> {
  const { user, system } = process.cpuUsage();
  await trigger.run(bench);
  const cpu = process.cpuUsage();
  const seconds = (cpu.user + cpu.system - user - system) / 1_000_000;
  const lines = [...reportLines(trigger, bench), `${bench.count} ${trigger.unit}, ${seconds.toFixed(0)} s of processor time`, ''];
  console.log(lines.join('\n'));
  writeFileSync(join(outFolder, `${trigger.id}.txt`), lines.join('\n'));
  return isPassed(bench);
}

process.exitCode = await main();
