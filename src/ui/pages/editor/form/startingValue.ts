import { numberOf } from "../document/manifestYaml.ts";
import type { FormNode, GroupNode } from "./FormNode.ts";

/** A default as a value again; undefined where there is none worth writing. */
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
 * What a section begins with: its first setting with its default. Never nothing, because an empty section may
 * mean something of its own.
 */
export function startingValue(group: GroupNode): Readonly<Record<string, unknown>> {
  for (const child of group.children) {
    const value = defaultOf(child);
    if (value !== undefined && !child.advanced) return { [child.key]: value };
  }
  return {};
}
