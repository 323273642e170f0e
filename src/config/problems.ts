import { z } from 'zod';
import { keyFacts, schemaAt } from './schema-keys.ts';

const valueLengthMax = 60;

/** Every problem of a file as one readable line each: the key, the value found, and what is allowed.
 *  @param input what was given to the schema, as parsed from TOML. */
export function problemsOf(error: z.ZodError, schema: z.ZodType, input: unknown): string[] {
  return error.issues.flatMap((issue) => {
    const key = issue.path.join('.');
    const value = valueAt(input, issue.path);
    if (issue.code === 'unrecognized_keys') return issue.keys.map((unknown) => unknownKey(schema, issue.path, unknown));
    if (issue.code === 'custom') return [problem(key, value, issue.message)];
    if (issue.code === 'invalid_key') return [problem(key, value, 'not a possible name')];
    const found = schemaAt(schema, issue.path);
    const facts = found === null ? null : keyFacts(found);
    const limit = facts === null ? issue.message : `allowed: ${facts.allowed}${facts.unit === null ? '' : ` ${facts.unit}`}`;
    return [problem(key, value, limit)];
  });
}

/** One line of the form "key = value: what is allowed", or "key is missing: …". */
export function problem(key: string, value: unknown, limit: string): string {
  return value === undefined ? `${key} is missing: ${limit}` : `${key} = ${shown(value)}: ${limit}`;
}

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): string {
  const parent = schemaAt(schema, path);
  const known = parent instanceof z.ZodObject ? Object.keys(parent.shape).join(', ') : '';
  return `${[...path, key].join('.')} is an unknown key${known === '' ? '' : `, known here: ${known}`}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let here = input;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}
