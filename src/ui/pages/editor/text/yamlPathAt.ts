/**
 * A position in a YAML text, found by indentation alone, so that it works even if the text cannot be parsed.
 */
export interface YamlPlace {
  /** Keys of the mappings that contain the line, outermost first. */
  readonly parents: readonly string[];
  /** The key of the line itself; null on a line without one. */
  readonly key: string | null;
}

const KEY = /^(\s*)(?:- )?"?([A-Za-z_][\w.-]*)"?\s*:/;
const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * The position of a line.
 *
 * @param lines the whole text
 * @param index 0-based
 */
export function yamlPathAt(lines: readonly string[], index: number): YamlPlace {
  const line = lines[index] ?? "";
  const parents: string[] = [];
  let indent = indentOf(line);
  for (let above = index - 1; above >= 0 && indent > 0; above -= 1) {
    const text = lines[above] ?? "";
    const found = KEY.exec(text);
    if (text.trim() === "" || text.trimStart().startsWith("#") || found === null) continue;
    if (indentOf(text) >= indent) continue;
    indent = indentOf(text);
    parents.unshift(found[2] ?? "");
  }
  return { parents, key: KEY.exec(line)?.[2] ?? null };
}
