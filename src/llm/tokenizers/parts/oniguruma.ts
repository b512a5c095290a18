/** What the library's translation of Oniguruma's expressions leaves out. */

/** An escape, a group's beginning, a quantifier, or one other character. */
const TOKEN =
  /\\(?:[pPxu]\{[^}]*\}|[\s\S])|\(\?(?:<[=!]|[:=!>]|i:)|\(\?[\s\S]{0,3}|(?:[*+?]|\{\d*,?\d*\})[+?]?|[\s\S]/uy;
const CLASS = /\[|\]|\\[\s\S]|[\s\S]/uy;
/** Escapes that mean something else in JavaScript, or nothing. */
const UNKNOWN = /^\\[1-9gGkKNORXyY]/;
/** Characters that are the same as ASCII letters where case does not count. */
const ALIKE: Readonly<Record<string, string>> = {
  s: "[sS\u017F]",
  S: "[sS\u017F]",
  k: "[kK\u212A]",
  K: "[kK\u212A]",
};

const refused = (construct: string): Error =>
  new Error(`found ${JSON.stringify(construct)} in the expression, which has no counterpart in JavaScript`);

/** The end of a character class that begins at `at`. */
function classEnd(source: string, at: number): number {
  let depth = 0;
  CLASS.lastIndex = at;
  do {
    const found = CLASS.exec(source)?.[0];
    if (found === undefined) return source.length;
    if (found === "[") depth++;
    if (found === "]") depth--;
  } while (depth > 0);
  return CLASS.lastIndex;
}

/**
 * Rewrites possessive quantifiers and atomic groups as lookaheads, and adds the letters beyond ASCII that are equal to
 * those of it where case does not count. To be deleted once the library does so.
 * @throws Error naming a construct that cannot be translated.
 */
export function translatable(source: string): string {
  const groups: { readonly start: number; readonly atomic: boolean; readonly anyCase: boolean }[] = [];
  let names = 0;
  let out = "";
  /** Where the part begins that a quantifier repeats. */
  let part = 0;
  const atomic = (text: string): string => `(?:(?=(?<_${++names}>${text}))\\k<_${names}>)`;
  for (let at = 0; at < source.length; ) {
    if (source[at] === "[") {
      const end = classEnd(source, at);
      part = out.length;
      out += source.slice(at, end);
      at = end;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source)?.[0] ?? "";
    at += token.length;
    const group = groups.at(-1);
    if (UNKNOWN.test(token) || /^\{\d+\}\?$/.test(token)) throw refused(token);
    if (token.startsWith("(")) {
      if (token.startsWith("(?") && !/^\(\?(?:<[=!]|[:=!>]|i:)$/.test(token)) throw refused(token);
      groups.push({
        start: out.length,
        atomic: token === "(?>",
        anyCase: token === "(?i:" || group?.anyCase === true,
      });
      out += token === "(?>" ? "(?:" : token;
    } else if (token === ")") {
      groups.pop();
      part = group?.start ?? 0;
      out += token;
      if (group?.atomic === true) out = out.slice(0, part) + atomic(out.slice(part));
    } else if (/^[*+?]\+$/.test(token)) {
      out = out.slice(0, part) + atomic(out.slice(part) + token.charAt(0));
    } else if (/^(?:[*+?]|\{\d*,\d*\}|\{\d+\})[+?]?$/.test(token)) {
      out += token;
    } else {
      part = out.length;
      out += (group?.anyCase === true ? ALIKE[token] : undefined) ?? token;
    }
  }
  return out;
}
