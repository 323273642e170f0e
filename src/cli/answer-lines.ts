import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type QuestionName, questionNames } from '../../calibration/guide-parts.ts';

/** Answers from a file or a pipe: one a line, for the questions in their order; a line like `values = 1 4 6` only answers questions of that name.
 *  Empty lines are answers too (ENTER); lines that begin with # are not. */
export class AnswerLines {
  readonly #lines: AsyncIterator<string>;
  readonly #waiting = new Map<QuestionName, string[]>();
  #unnamed: string[] = [];

  constructor(input: Readable) {
    this.#lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  }

  /** The next answer to a question, or null when the lines have ended. */
  async next(name: QuestionName): Promise<string | null> {
    for (;;) {
      const named = this.#waiting.get(name)?.shift();
      if (named !== undefined) return named;
      const unnamed = this.#unnamed.shift();
      if (unnamed !== undefined) return unnamed;
      const { value, done } = await this.#lines.next();
      if (done === true) return null;
      this.#take(value);
    }
  }

  #take(line: string): void {
    if (line.startsWith('#')) return;
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    const name = questionNames.find((each) => each === key);
    if (name === undefined) this.#unnamed.push(line);
    else this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), value]);
  }
}
