import { Command, InvalidArgumentError, Option } from 'commander';
import { demoFaults } from '../../hardware-sim/demo-faults.ts';
import { runDemo } from '../../hardware-sim/run-demo.ts';
import { houseIds, loadHouse } from '../config/load-house.ts';
import { printLine } from './command-output.ts';

interface DemoFlags {
  readonly house: string;
  readonly order?: 'bets-first' | 'shake-first';
  readonly speed: number;
  readonly port: number;
  readonly folder: string;
  readonly seed: number;
  readonly firmware: 'model' | 'avr';
  readonly fault: readonly string[];
  readonly every: number;
  readonly rounds?: number;
}

/** `sicbo demo`: the table on simulated hardware, each part a real process. `npm start` runs it. */
export function demoCommand(): Command {
  const faultList = demoFaults.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`).join('\n');
  return new Command('demo')
    .description('Runs a table on simulated hardware in real processes and shows its rounds. Ctrl-C ends it.')
    .option('--house <id>', `house to play: ${houseIds().join(', ')}, or the path of a house file`, 'live')
    .addOption(new Option('--order <order>', 'order of play, instead of the house’s own').choices(['bets-first', 'shake-first']))
    .option('--speed <factor>', 'shortens the countdowns, 0.25 to 20', numberIn(0.25, 20), 1)
    .option('--port <number>', 'TCP port of the display, 1 to 65535', wholeIn(1, 65_535), 8_080)
    .option('--folder <path>', 'where journal, evidence, calibration and logs are kept', '.table/demo')
    .option(
      '--seed <number>',
      'of dice and camera noise: the same seed throws the same dice',
      wholeIn(0, 1_000_000),
      Date.now() % 1_000_000,
    )
    .addOption(
      new Option('--firmware <kind>', 'shaker firmware: its model, or the compiled reference firmware in simavr')
        .choices(['model', 'avr'])
        .default('model'),
    )
    .addOption(new Option('--fault <name>', 'fault to show, repeatable; see below').argParser(collected).default([], 'none'))
    .option('--every <count>', 'a fault every so many rounds', wholeIn(1, 1_000), 3)
    .option('--rounds <count>', 'ends by itself after so many rounds', wholeIn(1, 1_000_000))
    .addHelpText('after', `\nFaults:\n${faultList}`)
    .action(async (flags: DemoFlags, command: Command) => {
      loadHouse(flags.house);
      const ending = new AbortController();
      const end = (): void => ending.abort();
      process.once('SIGINT', end);
      process.once('SIGTERM', end);
      await runDemo({
        ...flags,
        orderOfPlay: flags.order ?? null,
        faults: flags.fault,
        rounds: flags.rounds ?? null,
        say: (line) => printLine(command, line),
        signal: ending.signal,
      });
    });
}

function collected(value: string, before: readonly string[]): readonly string[] {
  if (!demoFaults.some(({ name }) => name === value)) {
    throw new InvalidArgumentError(`the faults are ${demoFaults.map(({ name }) => name).join(', ')}`);
  }
  return [...before, value];
}

function numberIn(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`allowed are ${min} to ${max}`);
    return value;
  };
}

function wholeIn(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = numberIn(min, max)(text);
    if (!Number.isInteger(value)) throw new InvalidArgumentError('a whole number is needed');
    return value;
  };
}
