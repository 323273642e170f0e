import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../../src/cli/command-output.ts';
import { DeviceError, InputError } from '../../src/errors.ts';
import { runCaptured } from './run-captured.ts';

describe('sicbo', () => {
  it('lists its commands without loading one', async () => {
    const { exitCode, out } = await runCaptured('--help', [
      { name: 'never', summary: 'is not loaded', load: () => Promise.reject(new Error('loaded')) },
    ]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/never\s+is not loaded/);
  });

  it('prints its version', async () => {
    expect(await runCaptured('--version')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it.each(['rules --help', 'help rules'])('explains a command on "%s"', async (line) => {
    const { exitCode, out } = await runCaptured(line);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Usage: sicbo rules \[options\]/);
    expect(out).toContain('--roll <dice>');
  });

  it.each([
    ['shuffle', /unknown command 'shuffle'/],
    ['rules --hous live', /unknown option '--hous'/],
    ['config check', /missing required argument 'file'/],
    ['rules live', /too many arguments/],
  ])('answers a wrong command line "%s" with exit code 2', async (line, message) => {
    const { exitCode, err } = await runCaptured(line);
    expect(exitCode).toBe(2);
    expect(err).toMatch(message);
  });

  it('says what to do when no command is given', async () => {
    const { exitCode, err } = await runCaptured('');
    expect(exitCode).toBe(2);
    expect(err).toContain('Usage: sicbo');
  });
});

describe('an error of a command', () => {
  const failing = (error: Error) => [
    {
      name: 'fail',
      summary: 'fails',
      load: async () =>
        new Command('fail').action(() => {
          throw error;
        }),
    },
  ];

  it('of a wrong file is one message with its problems and exit code 2', async () => {
    const error = new InputError('config.wrong', 'the file has 2 problems', ['a = 1: allowed: 2', 'b is missing']);
    expect(await runCaptured('fail', failing(error))).toMatchObject({
      exitCode: 2,
      out: '',
      err: 'config.wrong: the file has 2 problems\n  a = 1: allowed: 2\n  b is missing\n',
    });
  });

  it('of a device is one message and exit code 1', async () => {
    const error = new DeviceError('camera.lost', 'no picture for 1000 ms');
    expect(await runCaptured('fail', failing(error))).toMatchObject({
      exitCode: 1,
      err: 'camera.lost: no picture for 1000 ms\n',
    });
  });

  it('that found a bad answer gives exit code 1', async () => {
    expect(await runCaptured('fail', failing(new CommandFailed('2 of 5 checks failed')))).toMatchObject({
      exitCode: 1,
      err: '2 of 5 checks failed\n',
    });
    expect(await runCaptured('fail', failing(new CommandFailed()))).toMatchObject({ exitCode: 1, err: '' });
  });

  it('that is a bug is not hidden', async () => {
    await expect(runCaptured('fail', failing(new TypeError('x is undefined')))).rejects.toThrow('x is undefined');
  });
});
