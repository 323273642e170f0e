/** The one spelling of a value that goes into the journal: JSON without white space, object keys sorted by UTF-16 code units, numbers and
 *  strings as ECMAScript writes them, properties that are `undefined` left out. Equal values give equal bytes, so that a hash over them can be
 *  checked by anybody.
 *  @throws TypeError for what JSON cannot hold (a function, a bigint, NaN, an infinity): a mistake in the program, never an input. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`canonicalJson: ${value} is not a JSON number`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new TypeError(`canonicalJson: a ${typeof value} that is no plain object, array, string, number, boolean or null`);
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
