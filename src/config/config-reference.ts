import { z } from 'zod';
import { defaultPlay } from './play-keys.ts';
import { keyFacts } from './schema-keys.ts';
import { tableSchema } from './table-schema.ts';

/** Every key of `table.toml` as Markdown, one table a section: the committed README of this folder is this text. */
export function configReference(): string {
  const sections = Object.entries(tableSchema.shape).map(([name, wrapped]) => {
    const section = wrapped.unwrap();
    const rows = Object.entries(section.shape).map(([key, schema]) => row(name, key, schema));
    return [
      `## [${name}]`,
      '',
      `${z.globalRegistry.get(wrapped)?.description ?? ''}.`,
      '',
      '| key | allowed | unit | default | what it is |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${introduction}\n${sections.join('\n\n')}\n`;
}

const introduction = `# table.toml

One file configures one table. \`example.table.toml\` beside this page is a whole one; \`sicbo config check FILE\` names every problem of yours.
This page is what \`sicbo config reference\` prints.

- A key that is not listed here is an error, and so is a value outside its limits. All problems are reported at once.
- The unit is part of the key's name; \`…Max\` and \`…Min\` are limits. Relative paths start at the folder of the file.
- Default \`needed\`: the key must be written. Default \`none\`: it may be left out, or the kind of camera or lamps decides.
- \`[play]\`: what the file says goes before what the house says, and that before the default.
`;

function row(section: string, key: string, schema: z.core.$ZodType): string {
  const facts = keyFacts(schema);
  const fallback =
    section === 'play' ? JSON.stringify(Object.entries(defaultPlay).find(([name]) => name === key)?.[1]) : facts.defaultValue;
  const shownDefault = fallback ?? (facts.isRequired ? 'needed' : 'none');
  const cells = [`\`${key}\``, facts.allowed, facts.unit ?? '', shownDefault, facts.description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
