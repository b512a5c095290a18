import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

const frame = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--text-s)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-tooltip": {
    maxWidth: "26rem",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-s)",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-tooltip .cm-completionInfo": { maxWidth: "20rem" },
  ".manifest-hover, .cm-diagnostic": { padding: "0.375rem 0.625rem", fontFamily: "var(--sans)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad)", backgroundImage: "none" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn)", backgroundImage: "none" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--surface-3)", border: "0", color: "var(--ink-2)" },
  ".cm-matchingBracket, .cm-searchMatch": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
  },
});

const colours = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword],
    color: "var(--accent)",
  },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--good)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--ink-2)" },
]);

/** The page's colours for the text editor, for the light and dark theme. */
const theme: Extension = [frame, syntaxHighlighting(colours)];

/** What all text editors have in common. @param attributes of the text's element, such as its `aria-label` */
export const editorBase = (
  attributes: Readonly<Record<string, string>>,
  onText: (text: string) => void,
): Extension => [
  basicSetup,
  theme,
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ spellcheck: "false", ...attributes }),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) onText(state.doc.toString());
  }),
];

/** A replacement of one range of a text. */
interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The smallest single replacement that turns one text into another; null if they are equal. */
export function textChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
