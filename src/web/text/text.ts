import { en } from './en.ts';

export type TextKey = keyof typeof en;

/** Languages that the display speaks. A new one is a file with the keys of `en.ts`. */
const languages: Readonly<Record<string, Readonly<Record<TextKey, string>>>> = { en };

/** Gives texts in one language. */
export interface Texts {
  /** The text with `{name}` replaced by its value. */
  of(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  /** The text for a cause or code that the table sent; empty for one that this page does not know. */
  ofCause(area: 'throw' | 'hold' | 'void' | 'fault', cause: string | null): string;
  /** A whole number as players write it: 1,234 (rule R12). */
  number(value: number): string;
}

/** @param language a code such as `en`; an unknown one falls back to English. */
export function textsOf(language: string): Texts {
  const table = languages[language] ?? en;
  return {
    of: (key, values = {}) => table[key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place)),
    ofCause: (area, cause) => (table as Readonly<Record<string, string>>)[`${area}.${cause}`] ?? '',
    number: (value) => new Intl.NumberFormat('en-US').format(value),
  };
}

/** The display's texts. */
export const texts: Texts = textsOf('en');
