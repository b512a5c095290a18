/**
 * Syntax highlighting for JavaScript and TypeScript: keywords, strings, numbers and comments, without a
 * grammar.
 */
import { StreamLanguage, type StreamParser } from "@codemirror/language";

const KEYWORDS = new Set(
  (
    "async await break case catch class const continue default delete do else export extends finally for function get if " +
    "import in instanceof interface let new of return set static super switch this throw try type typeof var void while yield"
  ).split(" "),
);
const ATOMS = new Set(["true", "false", "null", "undefined", "Infinity", "NaN"]);

interface State {
  /** The end marker of the open block comment or template literal; null outside both. */
  open: "*/" | "`" | null;
}

const parser: StreamParser<State> = {
  startState: () => ({ open: null }),
  token(stream, state) {
    if (state.open !== null) {
      const { open } = state;
      while (!stream.eol()) {
        if (stream.match(open)) {
          state.open = null;
          break;
        }
        if (stream.next() === "\\") stream.next();
      }
      return open === "`" ? "string" : "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.open = "*/";
      return "comment";
    }
    if (stream.match("`")) {
      state.open = "`";
      return "string";
    }
    if (stream.match(/^(["'])(?:\\.|(?!\1).)*\1?/)) return "string";
    if (stream.match(/^(?:0[xob][\da-f_]+|\d[\d_]*\.?\d*(?:e[+-]?\d+)?)/i)) return "number";
    if (stream.match(/^[\p{L}_$][\p{L}\d_$]*/u)) {
      const word = stream.current();
      return KEYWORDS.has(word) ? "keyword" : ATOMS.has(word) ? "atom" : null;
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: {} },
};

export const javascript = StreamLanguage.define(parser);
