import { createContext } from "react";
import type { FormNode } from "./FormNode.ts";

/** Which fields of the form are shown. */
export interface FormView {
  /** Part of a name or of its help, in small letters; "" for all. */
  readonly wanted: string;
  /** Whether fields that are only carried along are shown too. */
  readonly effectless: boolean;
}

export const ALL_FIELDS: FormView = { wanted: "", effectless: false };

export const FormViewContext = createContext<FormView>(ALL_FIELDS);

const childrenOf = (node: FormNode): readonly FormNode[] => {
  switch (node.kind) {
    case "group":
      return node.children;
    case "choice":
      return node.options.flatMap(({ children }) => children);
    case "record":
      return node.item.children;
    default:
      return [];
  }
};

/** Whether a node or something below it has the words that are looked for. */
export function isWanted(node: FormNode, wanted: string): boolean {
  if (wanted === "") return true;
  const text = `${node.key} ${node.aliases.join(" ")} ${node.description}`.toLowerCase();
  return text.includes(wanted) || childrenOf(node).some((child) => isWanted(child, wanted));
}

/** Whether a node is shown: one with a value always is, when nothing is looked for. */
export const isShown = (node: FormNode, { wanted, effectless }: FormView, isSet: boolean): boolean =>
  (node.effect || effectless || isSet) && isWanted(node, wanted);

/** Fields below a node that are only carried along. */
export const effectlessBelow = (node: FormNode): number =>
  childrenOf(node).reduce((sum, child) => sum + (child.effect ? 0 : 1) + effectlessBelow(child), 0);
