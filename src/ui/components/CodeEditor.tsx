import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { editorBase, textChange } from "./codeMirror.ts";

/**
 * Syntax highlighting for JavaScript and TypeScript: keywords, strings, numbers and comments, without a
 * grammar.
 */

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

interface Props {
  readonly text: string;
  readonly label: string;
  /** Called when the user edits the code. Read-only if left out. */
  readonly onChange?: (text: string) => void;
}

/** A text editor for the code of an environment. */
export function CodeEditor({ text, label, onChange }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  const first = useRef(text);
  const change = useEffectEvent((changed: string) => onChange?.(changed));
  const readOnly = onChange === undefined;
  useEffect(() => {
    if (parent.current === null) return undefined;
    const view = new EditorView({
      parent: parent.current,
      doc: first.current,
      extensions: [
        editorBase({ "aria-label": label, tabindex: "0" }, change),
        javascript,
        EditorState.readOnly.of(readOnly),
      ],
    });
    shown.current = view;
    return () => {
      first.current = view.state.doc.toString();
      shown.current = null;
      view.destroy();
    };
  }, [label, readOnly]);
  useEffect(() => {
    const view = shown.current;
    const changes = view && textChange(view.state.doc.toString(), text);
    if (changes !== null) view?.dispatch({ changes });
  }, [text]);
  return <div className="text-editor grow cropped" ref={parent} />;
}
