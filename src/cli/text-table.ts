/** Lines of a table for the terminal: columns padded to their widest cell, two spaces between them, nothing after the last.
 *  @param header null for none. */
export function textTable(header: readonly string[] | null, rows: readonly (readonly string[])[]): readonly string[] {
  const all = header === null ? rows : [header, ...rows];
  const widths: number[] = [];
  for (const row of all) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  }
  return all.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Columns that a terminal gives the text: two for each Japanese character and full-width sign. */
function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (/[\u3000-\u9fff\uff01-\uff60]/.test(character) ? 2 : 1), 0);
}
