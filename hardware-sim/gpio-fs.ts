import { mountAttributeFiles } from './fuse-files.ts';
import { GpioModel } from './gpio-model.ts';
import type { GpioAnswer, GpioQuestion, GpioTreeOptions } from './gpio-tree.ts';
import { lampBoard } from './lamp-board.ts';

/** Bound of the kept pictures, as `GpioTree.litHistory` says. */
const litHistoryMax = 10_000;

/** Program: the kernel's side of the simulated GPIO lines. Started by `startGpioTree` in a mount namespace of its own; mounts itself on
 *  `/sys/class/gpio` there and answers questions over the IPC channel. Ends when its parent does. */
function run(options: GpioTreeOptions): void {
  const board = lampBoard(options.wiring);
  let litHistory: (readonly number[])[] = [];
  let lastLit: readonly number[] = [];
  const model = new GpioModel(
    options.chips,
    options.faults ?? {},
    () => performance.now(),
    (line, level) => {
      if (board.levelChanged(line, level)) noteLit();
    },
  );
  const noteLit = () => {
    const lit = board.lit();
    if (String(lit) === String(lastLit)) return;
    lastLit = lit;
    if (litHistory.length < litHistoryMax) litHistory.push(lit);
  };
  const answer = (question: GpioQuestion): GpioAnswer['value'] => {
    switch (question.ask) {
      case 'lit':
        return board.lit();
      case 'litHistory':
        return litHistory;
      case 'writes':
        return model.writes;
      case 'exportedLines':
        return model.exportedLines();
      case 'levels':
        return question.lines.map((line) => model.level(line));
      case 'forget':
        model.forgetWrites();
        litHistory = [];
        return null;
      case 'flip':
        board.flip(question.output);
        noteLit();
        return null;
      case 'turnIntoInput':
        model.turnIntoInput(question.line);
        return null;
      case 'setFaults':
        model.setFaults(question.faults);
        return null;
      default:
        return question satisfies never;
    }
  };
  mountAttributeFiles('/sys/class/gpio', model);
  process.on('message', (question: GpioQuestion & { readonly id: number }) => {
    process.send?.({ id: question.id, value: answer(question) } satisfies GpioAnswer);
  });
  // A read of /dev/fuse blocks a thread that a normal exit would wait for. Ctrl-C is the parent's to handle: it ends the table first.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('SIGINT', () => {});
  process.send?.({ id: 0, value: null } satisfies GpioAnswer);
}

run(JSON.parse(process.argv[2] ?? '') as GpioTreeOptions);
