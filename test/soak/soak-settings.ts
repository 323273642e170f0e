/** Smallest and largest value of a setting. */
export type Bounds = readonly [min: number, max: number];

/** Reads `key=value` arguments over defaults. @param words settings that are one of a few words.
 *  @throws Error with the argument that is wrong and what is allowed. */
export function soakSettingsOf<Settings extends object>(
  args: readonly string[],
  defaults: Settings,
  bounds: Readonly<Record<string, Bounds>>,
  usage: string,
  words: Readonly<Record<string, readonly string[]>> = {},
): Settings {
  const settings: Record<string, unknown> = { ...(defaults as Record<string, unknown>) };
  for (const arg of args) {
    const [key = '', value = ''] = arg.replace(/^--/, '').split('=');
    const [limits, choice] = [bounds[key], words[key]];
    if (choice?.includes(value) === true) settings[key] = value;
    else if (limits !== undefined) settings[key] = numberIn(arg, value, limits);
    else throw new Error(`"${arg}" is not understood; ${usage}`);
  }
  return settings as Settings;
}

function numberIn(arg: string, value: string, [min, max]: Bounds): number {
  const number = Number(value);
  if (value === '' || !(number >= min && number <= max)) throw new Error(`"${arg}": allowed are ${min} to ${max}`);
  return number;
}
