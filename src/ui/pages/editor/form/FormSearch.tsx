import { createContext } from "react";
import { SearchField } from "../../../components/controls.tsx";
import type { FormNode } from "./formNodes.ts";
import { manifestForm } from "./formOfSchema.ts";

/** Which fields of the form are shown. */
interface FormView {
  /** Search text in lower case, matched against names and help texts; "" matches all. */
  readonly wanted: string;
  /** Whether fields without effect here are shown too. */
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

/** Whether a node or one of its descendants matches the search text. */
export function isWanted(node: FormNode, wanted: string): boolean {
  if (wanted === "") return true;
  const text = `${node.key} ${node.aliases.join(" ")} ${node.description}`.toLowerCase();
  return text.includes(wanted) || childrenOf(node).some((child) => isWanted(child, wanted));
}

/** Whether a node is shown. Without a search, a node with a value is always shown. */
export const isShown = (node: FormNode, { wanted, effectless }: FormView, isSet: boolean): boolean =>
  (node.effect || effectless || isSet) && isWanted(node, wanted);

/** Number of fields below a node that have no effect here. */
const effectlessBelow = (node: FormNode): number =>
  childrenOf(node).reduce((sum, child) => sum + (child.effect ? 0 : 1) + effectlessBelow(child), 0);

/** Whether any field has no effect here, so that the checkbox is useful. */
const hasEffectless = effectlessBelow(manifestForm) > 0;

interface Props {
  readonly view: FormView;
  readonly onChange: (view: FormView) => void;
}

/** A search for fields by name or help text, and a checkbox that shows fields without effect here. */
export function FormSearch({ view, onChange }: Props) {
  return (
    <div className="row form-search">
      <SearchField
        label="Find a field"
        value={view.wanted}
        onChange={(text) => onChange({ ...view, wanted: text })}
      />
      {hasEffectless && (
        <label className="quiet beside">
          <input
            type="checkbox"
            checked={view.effectless}
            onChange={(event) => onChange({ ...view, effectless: event.currentTarget.checked })}
          />
          Show fields that have no effect here
        </label>
      )}
    </div>
  );
}
