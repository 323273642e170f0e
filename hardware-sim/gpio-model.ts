/** A GPIO controller of the simulated machine, as the kernel would number it. */
export interface SimGpioChip {
  readonly label: string;
  readonly base: number;
  readonly lineCount: number;
}

/** Faults of the simulated kernel; line numbers are those of sysfs. */
export interface GpioFaults {
  /** Exporting the line fails with this error. */
  readonly exportErrors?: Readonly<Record<number, 'EBUSY' | 'EINVAL'>>;
  /** The line's direction refuses to be opened for writing (EACCES) for this long after the export, ms: udev hands the files over one by one. */
  readonly unwritableMs?: Readonly<Record<number, number>>;
  /** Writing the direction is refused (EIO) for ever. */
  readonly stuckDirections?: readonly number[];
}

/** Errors with which the simulated files answer. */
export type Errno = 'EACCES' | 'EBUSY' | 'EINVAL' | 'EIO' | 'ENOENT' | 'EPERM' | 'ENOTDIR';

/** Level on a wire: null while nothing drives it. */
export type WireLevel = 0 | 1 | null;

/** One write by the program under test, in order. `path` is relative to the GPIO folder, e.g. `gpio529/direction`. */
export interface GpioWrite {
  readonly path: string;
  readonly text: string;
}

interface Line {
  readonly exportedAtMs: number;
  isOutput: boolean;
  level: 0 | 1;
  isActiveLow: boolean;
  edge: string;
}

const lineFiles = ['active_low', 'direction', 'edge', 'value'] as const;
/** Bound of the kept writes. A test that needs more looks at them in pieces. */
const writeCountMax = 400_000;

/** What Linux does behind `/sys/class/gpio`: directions `high` and `low` set the raw level, `out` drives low, `active_low` turns only what is
 *  read and written as `value`, and a line given back drives nothing (Linux documentation, admin-guide/gpio/sysfs). Pure apart from the time given. */
export class GpioModel {
  readonly #chips: readonly SimGpioChip[];
  readonly #nowMs: () => number;
  readonly #onLevel: (line: number, level: WireLevel) => void;
  readonly #lines = new Map<number, Line>();
  #faults: GpioFaults;
  #writes: GpioWrite[] = [];

  constructor(
    chips: readonly SimGpioChip[],
    faults: GpioFaults,
    nowMs: () => number,
    onLevel: (line: number, level: WireLevel) => void,
  ) {
    this.#chips = chips;
    this.#faults = faults;
    this.#nowMs = nowMs;
    this.#onLevel = onLevel;
  }

  /** Writes since the start or the last `forgetWrites`, oldest first. */
  get writes(): readonly GpioWrite[] {
    return this.#writes;
  }

  forgetWrites(): void {
    this.#writes = [];
  }

  setFaults(faults: GpioFaults): void {
    this.#faults = faults;
  }

  exportedLines(): readonly number[] {
    return [...this.#lines.keys()].sort((one, other) => one - other);
  }

  level(line: number): WireLevel {
    const state = this.#lines.get(line);
    return state?.isOutput ? state.level : null;
  }

  /** What a stray program would do: turns an exported output into an input, without a write of the program under test. */
  turnIntoInput(line: number): void {
    const state = this.#lines.get(line);
    if (state === undefined) return;
    state.isOutput = false;
    this.#onLevel(line, null);
  }

  /** Names in a folder, null when `path` is no folder. The root is ''. */
  list(path: string): readonly string[] | null {
    if (path === '') {
      const chips = this.#chips.map((chip) => `gpiochip${chip.base}`);
      return ['export', 'unexport', ...chips, ...this.exportedLines().map((line) => `gpio${line}`)];
    }
    if (this.#chipOf(path) !== undefined) return ['base', 'label', 'ngpio'];
    return this.#lineOf(path) !== undefined ? lineFiles : null;
  }

  isFile(path: string): boolean {
    const [folder, name, ...rest] = path.split('/');
    if (folder === undefined || rest.length > 0) return false;
    if (name === undefined) return folder === 'export' || folder === 'unexport';
    return this.list(folder)?.includes(name) === true;
  }

  /** Null when `path` may be opened for writing now. */
  writeRefusal(path: string): Errno | null {
    const { folder, name, lineNumber, line } = this.#place(path);
    if (folder.startsWith('gpiochip')) return 'EACCES';
    if (line === undefined || name !== 'direction') return null;
    const unwritableMs = this.#faults.unwritableMs?.[lineNumber] ?? 0;
    return this.#nowMs() - line.exportedAtMs < unwritableMs ? 'EACCES' : null;
  }

  read(path: string): string | Errno {
    const { folder, name, line } = this.#place(path);
    const chip = this.#chipOf(folder);
    if (chip !== undefined) return `${{ base: chip.base, label: chip.label, ngpio: chip.lineCount }[name] ?? ''}\n`;
    if (line === undefined) return 'EIO';
    switch (name) {
      case 'active_low':
        return line.isActiveLow ? '1\n' : '0\n';
      case 'direction':
        return line.isOutput ? 'out\n' : 'in\n';
      case 'edge':
        return `${line.edge}\n`;
      default:
        return (line.isOutput && line.level === 1) !== line.isActiveLow ? '1\n' : '0\n';
    }
  }

  /** @returns null when done, else the error of the write. */
  write(path: string, text: string): Errno | null {
    if (this.#writes.length < writeCountMax) this.#writes.push({ path, text: text.trim() });
    const { folder, name, lineNumber, line } = this.#place(path);
    if (folder === 'export') return this.#export(Number(text));
    if (folder === 'unexport') return this.#unexport(Number(text));
    if (line === undefined) return 'EIO';
    return writeLine(line, name, text.trim(), this.#faults.stuckDirections?.includes(lineNumber) === true, (level) =>
      this.#onLevel(lineNumber, level),
    );
  }

  #export(number: number): Errno | null {
    const isKnown = this.#chips.some((chip) => number >= chip.base && number < chip.base + chip.lineCount);
    const fault = this.#faults.exportErrors?.[number];
    if (fault !== undefined) return fault;
    if (!isKnown) return 'EINVAL';
    if (this.#lines.has(number)) return 'EBUSY';
    this.#lines.set(number, { exportedAtMs: this.#nowMs(), isOutput: false, level: 0, isActiveLow: false, edge: 'none' });
    return null;
  }

  #unexport(number: number): Errno | null {
    if (!this.#lines.delete(number)) return 'EINVAL';
    this.#onLevel(number, null);
    return null;
  }

  #chipOf(folder: string): SimGpioChip | undefined {
    return this.#chips.find((chip) => folder === `gpiochip${chip.base}`);
  }

  #lineOf(folder: string): Line | undefined {
    return this.#lines.get(Number(/^gpio(\d+)$/.exec(folder)?.[1] ?? Number.NaN));
  }

  #place(path: string): { folder: string; name: string; lineNumber: number; line: Line | undefined } {
    const [folder = '', name = ''] = path.split('/');
    return { folder, name, lineNumber: Number(folder.slice('gpio'.length)), line: this.#lineOf(folder) };
  }
}

function writeLine(line: Line, name: string, text: string, isStuck: boolean, onLevel: (level: WireLevel) => void): Errno | null {
  switch (name) {
    case 'active_low':
      line.isActiveLow = text !== '0';
      return null;
    case 'direction': {
      if (isStuck) return 'EIO';
      if (!['in', 'out', 'low', 'high'].includes(text)) return 'EINVAL';
      line.isOutput = text !== 'in';
      line.level = text === 'high' ? 1 : 0;
      onLevel(line.isOutput ? line.level : null);
      return null;
    }
    case 'value':
      if (!line.isOutput) return 'EPERM';
      line.level = (text !== '0') !== line.isActiveLow ? 1 : 0;
      onLevel(line.level);
      return null;
    default:
      line.edge = text;
      return null;
  }
}
