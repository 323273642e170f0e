import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { GuideFront, QuestionName } from '../../calibration/guide-parts.ts';
import { AnswerLines } from './answer-lines.ts';
import { CommandFailed } from './command-output.ts';

/** A front on the terminal; `close` gives the terminal back. */
export interface GuideTerminal extends GuideFront {
  close(): void;
}

/** Asks a person at the terminal; answers come from a file, or from a pipe where standard input is no terminal.
 *  @param stop aborted with what the guide is to end with, when the person presses Ctrl-C. */
export function openGuideTerminal(
  say: (line: string) => void,
  answersFile: string | null,
  stop: AbortController,
  keptIn: string,
): GuideTerminal {
  const onStop = (): void =>
    stop.abort(new CommandFailed(`\nStopped. Everything so far is kept in ${keptIn}; the same command goes on from here.`));
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  // Nobody asks at the moment when it is aborted in the middle of a step.
  stopped.catch(() => {});
  process.on('SIGINT', onStop);
  const isPerson = answersFile === null && process.stdin.isTTY;
  const source = isPerson ? personAt(onStop) : linesOf(answersFile, say);
  return {
    say,
    async ask(name, text) {
      stop.signal.throwIfAborted();
      const answer = await Promise.race([source.answer(name, text), stopped]);
      if (answer !== null) return answer;
      throw new CommandFailed(`The answers ended at the question "${name}".\nEverything so far is kept in ${keptIn}.`);
    },
    close: () => {
      process.off('SIGINT', onStop);
      source.close();
    },
  };
}

interface AnswerSource {
  /** Null when there are no more answers. */
  answer(name: QuestionName, text: string): Promise<string | null>;
  close(): void;
}

function linesOf(answersFile: string | null, say: (line: string) => void): AnswerSource {
  const input = answersFile === null ? process.stdin : createReadStream(answersFile);
  const lines = new AnswerLines(input);
  return {
    async answer(name, text) {
      say(text);
      const answer = await lines.next(name);
      if (answer !== null) say(`> ${answer}`);
      return answer;
    },
    close: () => void input.destroy(),
  };
}

function personAt(onStop: () => void): AnswerSource {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', onStop);
  // Ctrl-D.
  terminal.on('close', onStop);
  return {
    answer: (_, text) => terminal.question(`${text}: `),
    close: () => {
      terminal.off('close', onStop);
      terminal.close();
    },
  };
}
