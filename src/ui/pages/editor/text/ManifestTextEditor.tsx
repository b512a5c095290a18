import { autocompletion } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, type EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { editorBase, textChange } from "../../../components/codeMirror.ts";
import type { ManifestFormat } from "../../../routes/route.ts";
import { editText, type Remark, useEditor } from "../editorStore.ts";
import { manifestCompletion, manifestHover } from "./manifestHelp.ts";

/** Commands that the page can send to the editor. */
export interface TextEditorHandle {
  /** Moves the cursor to a line (1-based) and scrolls to it. */
  goToLine(line: number): void;
}

const language = new Compartment();
const languageOf = (format: ManifestFormat) => (format === "json" ? json() : yaml());

function diagnosticOf(state: EditorState, { level, message, path, line, column }: Remark): Diagnostic {
  const at = state.doc.line(Math.min(line, state.doc.lines));
  const start = at.from + Math.min(column - 1, at.length);
  // Leading spaces are not marked.
  const from = start + (/^\s*/.exec(state.sliceDoc(start, at.to))?.[0].length ?? 0);
  return {
    from: Math.min(from, at.to),
    to: at.to,
    severity: level,
    message: path === "" ? message : `${path}: ${message}`,
  };
}

function createView(parent: HTMLElement): EditorView {
  const { text, format } = useEditor.getState();
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      editorBase({ "aria-label": "Manifest text" }, editText),
      language.of(languageOf(format)),
      autocompletion({ override: [manifestCompletion] }),
      manifestHover,
      lintGutter(),
      EditorView.lineWrapping,
    ],
  });
}

function showRemarks(view: EditorView): void {
  const { remarks } = useEditor.getState();
  view.dispatch(
    setDiagnostics(
      view.state,
      remarks.map((remark) => diagnosticOf(view.state, remark)),
    ),
  );
}

/** Applies changes of the store to the view: text changed elsewhere, format and remarks. */
function follow(view: EditorView): () => void {
  return useEditor.subscribe((state, before) => {
    const change = textChange(view.state.doc.toString(), state.text);
    if (change !== null) view.dispatch({ changes: change });
    if (state.format !== before.format)
      view.dispatch({ effects: language.reconfigure(languageOf(state.format)) });
    // A dispatch is not allowed during the editor's own update.
    if (state.remarks !== before.remarks) queueMicrotask(() => showRemarks(view));
  });
}

function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

/** The manifest as text, with completion, help on hover, and marked errors. */
export function ManifestTextEditor({ handle }: { readonly handle: Ref<TextEditorHandle> }) {
  const parent = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  useEffect(() => {
    if (parent.current === null) return undefined;
    const view = createView(parent.current);
    showRemarks(view);
    const unfollow = follow(view);
    shown.current = view;
    return () => {
      shown.current = null;
      unfollow();
      view.destroy();
    };
  }, []);
  useImperativeHandle(
    handle,
    () => ({
      goToLine: (line) => {
        if (shown.current !== null) goToLine(shown.current, line);
      },
    }),
    [],
  );
  return <div className="text-editor grow cropped" ref={parent} />;
}
