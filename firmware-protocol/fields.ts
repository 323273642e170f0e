/** One value of a line: how it is written and which texts are legal. Each value has exactly one text, so a line has exactly one meaning and back. */
export interface Field<Value> {
  /** The value, or null when `text` is not its canonical form or out of range. */
  parse(text: string): Value | null;
  /** @throws RangeError for a value that the protocol cannot say: a bug of the caller. */
  format(value: Value): string;
}

/** Fields of a message in wire order. */
export type FieldTable = Readonly<Record<string, Field<never> | Field<number> | Field<string>>>;

/** The values of a table of fields. */
export type ValuesOf<Table> = { readonly [Key in keyof Table]: Table[Key] extends Field<infer Value> ? Value : never };

/** A whole number from `min` to `max`, decimal without sign or leading zeros. */
export function wholeNumber(min: number, max: number): Field<number> {
  const isLegal = (value: number): boolean => Number.isInteger(value) && value >= min && value <= max;
  return {
    parse: (text) => (/^(0|[1-9][0-9]{0,9})$/.test(text) && isLegal(Number(text)) ? Number(text) : null),
    format: (value) => {
      if (!isLegal(value)) throw new RangeError(`${value} is not a whole number from ${min} to ${max}`);
      return String(value);
    },
  };
}

/** One of a closed set of words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Field<Word> {
  return {
    parse: (text) => words.find((word) => word === text) ?? null,
    format: (value) => {
      if (!words.includes(value)) throw new RangeError(`"${value}" is none of ${words.join(', ')}`);
      return value;
    },
  };
}

/** A name of 1 to `lengthMax` characters out of A-Z a-z 0-9 . _ - */
export function identifier(lengthMax: number): Field<string> {
  const isLegal = (text: string): boolean => text.length <= lengthMax && /^[A-Za-z0-9._-]+$/.test(text);
  return {
    parse: (text) => (isLegal(text) ? text : null),
    format: (value) => {
      if (!isLegal(value)) throw new RangeError(`"${value}" is not a name of 1 to ${lengthMax} characters`);
      return value;
    },
  };
}
