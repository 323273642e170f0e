/** A failure of something outside: a device, the disk, the configuration. Branch on `code` (stable, `area.what-happened`), never on the message,
 *  which says what happened, the value and the limit. Outcomes that play expects (a cocked die, a wrong phase) are values, not errors. */
export class TableError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A device did not do what it was asked. Codes: `shaker.*`, `camera.*`, `vision.*`, `lamps.*`. */
export class DeviceError extends TableError {}

/** The journal, its anchor or the evidence cannot be written or is damaged. Codes: `journal.*`, `evidence.*`. */
export class StorageError extends TableError {}

/** A file given by a person is wrong. Codes: `config.*`, `house.*`, `calibration.*`. `problems` lists every one found, with key, value and limit. */
export class InputError extends TableError {
  readonly problems: readonly string[];

  constructor(code: string, message: string, problems: readonly string[] = [], options?: ErrorOptions) {
    super(code, message, options);
    this.problems = problems;
  }
}
