import { hoverTooltip } from "@codemirror/view";
import { useEditor } from "../editorStore.ts";
import { nodeAt } from "../form/formPaths.ts";
import { manifestForm } from "../manifestForm.ts";
import { yamlPathAt } from "./yamlPathAt.ts";

/** Help for the key under the pointer. */
export const manifestHover = hoverTooltip((view, position) => {
  const line = view.state.doc.lineAt(position);
  const { parents, key } = yamlPathAt(view.state.doc.toString().split("\n"), line.number - 1);
  if (key === null) return null;
  const from = line.from + line.text.indexOf(key);
  if (position < from || position > from + key.length) return null;
  const node = nodeAt(manifestForm, useEditor.getState().shown.values, [...parents, key]);
  if (node === null || node.description === "") return null;
  return {
    pos: from,
    end: from + key.length,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "manifest-hover";
      dom.textContent = node.description;
      return { dom };
    },
  };
});
