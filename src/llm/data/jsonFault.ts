/** Finds the position of a JSON syntax error, which not all engines report. */

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** End of a match of `pattern` at `at`, or -1. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Kinds of token that may come next. */
type Next = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Offset of the first invalid character; the length of the text if it ends too early. */
export function jsonFaultAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let next: Next = "value";
  let at = endOf(SPACE, text, 0);
  for (;;) {
    const character = text[at];
    const inside = open.at(-1);
    let end = at + 1;
    if (next === "comma or end" && inside === undefined) return at;
    if (next === "colon" && character === ":") next = "value";
    else if (next === "comma or end" && character === ",") next = inside === "{" ? "key" : "value";
    else if (next.endsWith("or end") && character === (inside === "{" ? "}" : "]")) {
      open.pop();
      next = "comma or end";
    } else if (next.startsWith("key")) {
      end = endOf(STRING, text, at);
      next = "colon";
    } else if (next.startsWith("value") && (character === "{" || character === "[")) {
      open.push(character);
      next = character === "{" ? "key or end" : "value or end";
    } else if (next.startsWith("value")) {
      end = endOf(character === '"' ? STRING : SCALAR, text, at);
      next = "comma or end";
    } else return at;
    if (end === -1) return at;
    at = endOf(SPACE, text, end);
  }
}
