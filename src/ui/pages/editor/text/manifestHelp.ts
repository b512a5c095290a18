import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { hoverTooltip } from "@codemirror/view";
import { environmentSuggestions, useEditor } from "../editorStore.ts";
import { type FormNode, groupAt, isValues, nodeAt, valueAt } from "../form/formNodes.ts";
import { manifestForm } from "../form/formOfSchema.ts";

/**
 * A position in a YAML text, found by indentation alone, so that it works even if the text cannot be parsed.
 */
interface YamlPlace {
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

const optionOf = (child: FormNode): Completion => ({
  label: child.key,
  apply:
    child.kind === "group" || child.kind === "choice" || child.kind === "record"
      ? `${child.key}:`
      : `${child.key}: `,
  type: "property",
  info: child.description,
  boost: child.advanced ? -1 : 0,
});

/** The possible values of a field, if they can be listed. */
function valuesOf(node: FormNode | null, path: readonly string[]): readonly string[] {
  if (path.join(".") === "environment.name") return environmentSuggestions();
  if (node?.kind === "boolean") return ["true", "false"];
  return node?.kind === "enum" ? node.values : [];
}

/** Completes keys and values of a YAML manifest. */
export function manifestCompletion(context: CompletionContext): CompletionResult | null {
  const { shown, format } = useEditor.getState();
  if (format !== "yaml") return null;
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const { parents, key } = yamlPathAt(context.state.doc.toString().split("\n"), line.number - 1);
  const value = /^\s*[\w.-]+:\s+(\S*)$/.exec(before);
  if (value !== null && key !== null) {
    const path = [...parents, key];
    const choices = [...valuesOf(nodeAt(manifestForm, shown.values, path), path), ...tagNames(parents, key)];
    if (choices.length === 0) return null;
    const from = context.pos - (value[1] ?? "").length;
    return { from, options: choices.map((label) => ({ label, type: "enum" })), validFor: /^[\w.-]*$/ };
  }
  const word = /^\s*([\w]*)$/.exec(before);
  if (word === null || (word[1] === "" && !context.explicit)) return null;
  const node = nodeAt(manifestForm, shown.values, parents);
  const values = valueAt(shown.values, parents);
  const group = node === null ? null : groupAt(node, values);
  if (group === null) return null;
  const present = isValues(values) ? new Set(Object.keys(values)) : new Set<string>();
  const options = group.children.filter((child) => !present.has(child.key)).map(optionOf);
  return { from: context.pos - (word[1] ?? "").length, options, validFor: /^\w*$/ };
}

/** Names of a section's kinds, if the key is the one that selects the kind. */
function tagNames(parents: readonly string[], key: string): readonly string[] {
  const section = nodeAt(manifestForm, useEditor.getState().shown.values, parents);
  return section?.kind === "choice" && section.tag?.key === key ? section.tag.names : [];
}

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
