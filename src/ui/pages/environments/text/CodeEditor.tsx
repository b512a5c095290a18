import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { useEffect, useEffectEvent, useRef } from "react";
import { editorTheme } from "../../editor/text/editorTheme.ts";
import { textChange } from "../../editor/text/textChange.ts";
import { javascript } from "./javascript.ts";

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
        basicSetup,
        javascript,
        editorTheme,
        EditorState.tabSize.of(2),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) change(state.doc.toString());
        }),
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
  return <div className="text-editor" ref={parent} />;
}
