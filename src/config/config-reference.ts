import { z } from 'zod';
import { defaultPlay } from './play-keys.ts';
import { keyFacts } from './schema-keys.ts';
import { tableSchema } from './table-schema.ts';

/** Every key of `table.toml` as Markdown, one table a section, columns aligned so that it reads well in a terminal too: the committed README of
 *  this folder is this text. */
export function configReference(): string {
  const sections = Object.entries(tableSchema.shape).map(([name, wrapped]) => {
    const rows = Object.entries(wrapped.unwrap().shape).map(([key, schema]) => cells(name, key, schema));
    const description = z.globalRegistry.get(wrapped)?.description ?? '';
    return `## [${name}]\n\n${description}.\n\n${alignedTable(['key', 'allowed', 'unit', 'default', 'what it is'], rows)}\n`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# table.toml

One file configures one table. \`example.table.toml\` beside this page is a whole one; \`sicbo config check FILE\` names every problem of yours.
This page is what \`sicbo config reference\` prints.

- A key that is not listed here is an error, and so is a value outside its limits. All problems are reported at once.
- The unit is part of the key's name; \`…Max\` and \`…Min\` are limits. Relative paths start at the folder of the file.
- Default \`needed\`: the key must be written. Default \`none\`: it may be left out, or the kind of camera or lamps decides.
- \`[play]\`: what the file says goes before what the house says, and that before the default.

## Places of lamps

\`[lamps.zones]\` gives each zone's lamp its place, for example \`small = 0\`: the output of the chain (0 is QA of the register nearest to the
controller) or the line offset on the chip. Kind \`direct\` needs it. A chain without it has every zone at its place in the list of all 110 zones
(\`small\` 0, \`big\` 1, …), which is the same in every house, so that a change of house never lights another zone's lamp.
`;

function cells(section: string, key: string, schema: z.core.$ZodType): readonly string[] {
  const facts = keyFacts(schema);
  const playDefault = Object.entries(defaultPlay).find(([name]) => section === 'play' && name === key)?.[1];
  const shownDefault = facts.defaultValue ?? JSON.stringify(playDefault) ?? (facts.isRequired ? 'needed' : 'none');
  return [`\`${key}\``, facts.allowed, facts.unit ?? '', shownDefault, facts.description];
}

function alignedTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(...escaped.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [top = [], ...rest] = escaped;
  return [top, rule, ...rest]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}
