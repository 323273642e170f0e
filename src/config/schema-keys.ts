import { z } from 'zod';

/** What the schema says about one key: for the reference page and for messages about a wrong value. */
export interface KeyFacts {
  /** What may be written, e.g. "whole number 200 to 60000" or "mjpeg, directory". */
  readonly allowed: string;
  readonly unit: string | null;
  readonly description: string;
  readonly isRequired: boolean;
  /** As it would be written in TOML; null when there is none. */
  readonly defaultValue: string | null;
}

/** What a key's schema carries by `.meta()`. */
interface KeyMeta {
  readonly description?: string | undefined;
  /** Unit of a number, for people. */
  readonly unit?: string;
  /** What may be written, where the schema's own bounds do not say it plainly. */
  readonly format?: string;
  /** What stands when the key is left out, where that is decided outside the schema. */
  readonly whenLeftOut?: string | number | boolean;
}

type Schema = z.core.$ZodType;

/** The facts of one key's schema. */
export function keyFacts(schema: Schema): KeyFacts {
  const { inner, isRequired, defaultValue } = unwrapped(schema);
  const meta: KeyMeta = { ...z.globalRegistry.get(inner), ...z.globalRegistry.get(schema) };
  return {
    allowed: allowedValues(inner, meta.format),
    unit: meta.unit ?? null,
    description: meta.description ?? '',
    isRequired,
    defaultValue: JSON.stringify(defaultValue ?? meta.whenLeftOut) ?? null,
  };
}

/** The schema at a path of keys, without its optional and default wrappers; null where the schema knows no such key. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | null {
  let here = unwrapped(schema).inner;
  for (const key of path) {
    let next: Schema | undefined;
    if (here instanceof z.ZodObject) next = here.shape[String(key)];
    else if (here instanceof z.ZodRecord) next = here.valueType;
    else if (here instanceof z.ZodArray) next = here.element;
    if (next === undefined) return null;
    here = unwrapped(next).inner;
  }
  return here;
}

function unwrapped(schema: Schema): { inner: Schema; isRequired: boolean; defaultValue: unknown } {
  let inner = schema;
  let isRequired = true;
  let defaultValue: unknown;
  for (;;) {
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) defaultValue = inner.def.defaultValue;
    else if (!(inner instanceof z.ZodOptional || inner instanceof z.ZodExactOptional)) return { inner, isRequired, defaultValue };
    isRequired = false;
    inner = inner.def.innerType;
  }
}

function allowedValues(schema: Schema, format: string | undefined): string {
  if (format !== undefined) return format;
  if (schema instanceof z.ZodNumber) {
    const kind = schema.isInt ? 'whole number' : 'number';
    return `${kind} ${schema.minValue ?? '-∞'} to ${schema.maxValue ?? '∞'}`;
  }
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `"${option}"`).join(', ');
  if (schema instanceof z.ZodBoolean) return 'true, false';
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodRecord) return 'table';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodObject) return 'section';
  return 'value';
}
