/** Checks of a module before it runs: it parses, exports the entrypoint, and imports nothing. */
import type { Finding } from "./messages.ts";
import { syntaxFault, type UserModule } from "./moduleSource.ts";

/** A token of a program. */
interface Token {
  /**
   * "import", "export", "name", "string", "{" and so on. Keywords have this label only when used as keywords.
   */
  readonly label: string;
  readonly text: string;
  readonly line: number;
}

const findingOf = (found: string, allowed: string, advice: string): Finding => ({
  level: "error",
  call: "open",
  step: null,
  found,
  allowed,
  what: `found ${found}, allowed ${allowed}; ${advice}`,
});

/**
 * The faults that prevent a module from being opened.
 * @param entrypoint Name of the export; `null` for the default export.
 */
export async function moduleFindings(
  { script }: Pick<UserModule, "script">,
  entrypoint: string | null,
): Promise<readonly Finding[]> {
  let tokens: readonly Token[];
  try {
    tokens = await tokensOf(script);
  } catch (error) {
    const what = syntaxFault(error);
    return [{ level: "error", call: "open", step: null, found: what, allowed: "a module that parses", what }];
  }
  return [...importFindings(tokens), ...exportFindings(tokens, entrypoint)];
}

/** The imports of a module; none for one that does not parse. */
export async function importsOf(script: string): Promise<readonly Finding[]> {
  return importFindings(await tokensOf(script).catch(() => []));
}

async function tokensOf(script: string): Promise<readonly Token[]> {
  const { getFormattedTokens } = await import("sucrase");
  const lines = script.split("\n");
  const [, ...rows] = getFormattedTokens(script, { transforms: [] }).split("\n");
  return rows.flatMap((row) => {
    const [, from, start, to, end, label] = /^(\d+):(\d+)-(\d+):(\d+)\s+(\S+)/.exec(row) ?? [];
    if (label === undefined) return [];
    const line = Number(from);
    const text = from === to ? (lines[line - 1] ?? "").slice(Number(start) - 1, Number(end) - 1) : "";
    return [{ label, text, line }];
  });
}

function importFindings(tokens: readonly Token[]): Finding[] {
  return tokens.flatMap((token, i) => {
    const isImport = token.label === "import" || (token.label === "export" && reExports(tokens, i));
    if (!isImport) return [];
    const from = tokens.slice(i, endOf(tokens, i)).find(({ label }) => label === "string");
    const found = `${token.label}${from ? ` of ${from.text}` : ""} in line ${token.line}`;
    return [
      findingOf(found, "a module that imports nothing", "include the code that it needs in the module"),
    ];
  });
}

/** Index of the approximate end of a token's statement. */
function endOf(tokens: readonly Token[], start: number): number {
  const end = tokens.findIndex(({ label }, i) => i > start && label === ";");
  return end < 0 ? tokens.length : end;
}

/** `export * from`, `export { a } from`. */
function reExports(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.label;
  if (next === "*") return true;
  if (next !== "{") return false;
  const close = tokens.findIndex(({ label }, i) => i > at && label === "}");
  return tokens[close + 1]?.text === "from";
}

function exportFindings(tokens: readonly Token[], entrypoint: string | null): Finding[] {
  const names = tokens.flatMap((token, i) => (token.label === "export" ? exportedBy(tokens, i) : []));
  const wanted = entrypoint ?? "default";
  if (names.includes(wanted)) return [];
  const found = names.length === 0 ? "no export" : `exports ${names.join(", ")}`;
  const allowed =
    entrypoint === null
      ? "export default"
      : `an export called ${entrypoint}, or no entrypoint for the default export`;
  return [findingOf(found, allowed, "export a class, or a function of options that returns an environment")];
}

/** Names that an export statement exports. */
function exportedBy(tokens: readonly Token[], at: number): readonly string[] {
  const rest = tokens.slice(at + 1);
  const [first, second] = rest;
  if (first?.label === "default") return ["default"];
  if (first?.label === "{") {
    const inside = rest.slice(
      1,
      rest.findIndex(({ label }) => label === "}"),
    );
    const entries = inside.reduce<string[][]>(
      (all, { label, text }) => {
        if (label === ",") all.push([]);
        else all.at(-1)?.push(text);
        return all;
      },
      [[]],
    );
    // "a" or "a as b".
    return entries.flatMap((words) => words.at(-1) ?? []);
  }
  const name = [first, second, rest[2]].find((token) => token?.label === "name" && token.text !== "async");
  return name ? [name.text] : [];
}
