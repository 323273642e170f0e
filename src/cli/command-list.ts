import type { Command } from 'commander';

/** A command of `sicbo`. Its file is loaded only when it is called, so that `sicbo rules` neither waits for OpenCV nor needs it. */
export interface CommandEntry {
  readonly name: string;
  /** One line for `sicbo --help`. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** All commands, in the order of the help. A new command is a file `<name>-command.ts` and a line here. */
export const commandList: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'a table on simulated hardware; what npm start runs',
    load: async () => (await import('./demo-command.ts')).demoCommand(),
  },
  {
    name: 'run',
    summary: 'the daemon of one table on real devices',
    load: async () => (await import('./run-command.ts')).runCommand(),
  },
  {
    name: 'doctor',
    summary: 'checks each device of a table and says what to do',
    load: async () => (await import('./doctor-command.ts')).doctorCommand(),
  },
  {
    name: 'rules',
    summary: 'zones, labels, prices and returns of a house; what a roll pays',
    load: async () => (await import('./rules-command.ts')).rulesCommand(),
  },
  {
    name: 'config',
    summary: 'checks a table.toml; prints all its keys',
    load: async () => (await import('./config-command.ts')).configCommand(),
  },
  {
    name: 'calibrate',
    summary: 'calibrates camera and dice step by step; keeps, validates, activates calibrations',
    load: async () => (await import('./calibrate-command.ts')).calibrateCommand(),
  },
  {
    name: 'read',
    summary: 'reads the dice in pictures, with or without a calibration',
    load: async () => (await import('./read-command.ts')).readCommand(),
  },
  {
    name: 'verify',
    summary: 'checks a journal; names the first wrong or missing record',
    load: async () => (await import('./verify-command.ts')).verifyCommand(),
  },
  {
    name: 'journal',
    summary: 'sets a journal aside that cannot be opened',
    load: async () => (await import('./journal-command.ts')).journalCommand(),
  },
];
