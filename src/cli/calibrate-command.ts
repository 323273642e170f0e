import { Command } from 'commander';
import { fitProfile } from '../../calibration/fit.ts';
import { isReliable, writeProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { calibrateArchiveCommands } from './calibrate-archive-commands.ts';
import { calibrateGuideCommand } from './calibrate-guide-command.ts';
import { calibrateValidateCommand } from './calibrate-validate-command.ts';

interface FitOptions {
  readonly samples: string;
  readonly out: string;
  readonly by: string;
  readonly why: string;
}

/** `sicbo calibrate`: makes the calibration of a rig. Exit code 0 when written, 2 when the samples do not allow it. */
export function calibrateCommand(): Command {
  const fit = new Command('fit')
    .description('make a calibration file from a folder of labelled pictures (empty_ref and calib rows of its labels.jsonl)')
    .requiredOption('--samples <folder>', 'folder with labels.jsonl and its pictures')
    .requiredOption('--out <file>', 'calibration file to write; an old one is replaced')
    .option('--by <name>', 'who calibrates', process.env.USER ?? 'unknown')
    .option('--why <text>', 'reason, kept in the file', 'first calibration')
    .action((options: FitOptions) => {
      fitAndWrite(options);
    });
  const calibrate = new Command('calibrate').description('calibrate the camera and the dice of a table');
  calibrate.addCommand(calibrateGuideCommand(), { isDefault: true });
  for (const command of [fit, calibrateValidateCommand(), ...calibrateArchiveCommands()]) calibrate.addCommand(command);
  return calibrate;
}

/** @throws InputError `calibration.*`; `calibration.misreads` when the written calibration misreads its own samples. */
function fitAndWrite(options: FitOptions): void {
  const person = { createdBy: options.by, why: options.why, createdAt: new Date().toISOString() };
  const profile = fitProfile(options.samples, person, (text) => console.error(text));
  writeProfile(options.out, profile);
  const { measured, geometry, tray } = profile;
  console.log(`calibration ${profile.id} written to ${options.out}`);
  console.log(
    `  die edge ${geometry.edgePx.toFixed(1)} px for ${profile.dieEdgeMm} mm, tray radius ${tray.radiusPx.toFixed(0)} px`,
  );
  console.log(
    `  ${measured.dieCount} dice in ${measured.pictureCount} pictures; three-dice samples read: ${measured.acceptedCount} accepted, ${measured.wrongCount} of them wrong`,
  );
  console.log(
    `  size over the tray fits to ${(100 * measured.scaleResidual).toFixed(1)} %, flat dice measured as leaning by at most ${measured.leanDegMax.toFixed(1)}°`,
  );
  if (!isReliable(profile)) {
    console.log(
      `NOT FOR PLAY: it reads only ${measured.acceptedCount} of its own ${measured.threeDiceCount} three-dice samples, at least half are needed. Dice and floor are too alike, or the samples are poor: with it every picture is refused as low-contrast.`,
    );
  }
  if (measured.wrongCount > 0) {
    throw new InputError(
      'calibration.misreads',
      'the calibration misreads its own samples: check their labels, and do not use it',
    );
  }
}
