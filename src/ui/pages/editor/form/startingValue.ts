import { numberOf } from "../document/manifestYaml.ts";
import type { FormNode, GroupNode } from "./FormNode.ts";

/** The default of a node as a value; undefined if there is none to write. */
function defaultOf(node: FormNode): unknown {
  switch (node.kind) {
    case "number":
      return node.unset === null ? undefined : numberOf(node.unset);
    case "boolean":
      return node.fallback ?? undefined;
    case "enum":
      return node.unset ?? undefined;
    case "group": {
      const entries = node.children.map((child) => [child.key, defaultOf(child)] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    case "choice":
    case "record":
    case "text":
    case "numbers":
    case "free":
      return undefined;
  }
}

/**
 * The initial content of an added section: its first field that has a default. It is not left empty, because
 * an empty section may have a different meaning.
 */
export function startingValue(group: GroupNode): Readonly<Record<string, unknown>> {
  for (const child of group.children) {
    const value = defaultOf(child);
    if (value !== undefined && !child.advanced) return { [child.key]: value };
  }
  return {};
}
