import { use } from "react";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { useEditor } from "../editorStore.ts";
import { ChoiceSwitch } from "./ChoiceSwitch.tsx";
import { FormField } from "./FormField.tsx";
import type { FormNode } from "./FormNode.ts";
import { groupAt, isValues, keyIn, valueAt } from "./formPaths.ts";
import { FormViewContext, isShown } from "./formView.ts";
import { RecordEditor } from "./RecordEditor.tsx";

interface Props {
  readonly node: FormNode;
  readonly path: ManifestPath;
}

/** The fields below a node; advanced fields are collapsed. */
export function FormGroup({ node, path }: Props) {
  const values = useEditor(({ shown }) => valueAt(shown.values, path));
  const asked = use(FormViewContext);
  const group = groupAt(node, values);
  if (group === null) return null;
  const tag = node.kind === "choice" ? node.tag?.key : undefined;
  const isSet = (child: FormNode): boolean => isValues(values) && Object.hasOwn(values, keyIn(values, child));
  // A group whose own name matches the search is shown in full.
  const view =
    asked.wanted !== "" && node.key.toLowerCase().includes(asked.wanted) ? { ...asked, wanted: "" } : asked;
  const children = group.children.filter((child) => child.key !== tag && isShown(child, view, isSet(child)));
  const plain = children.filter((child) => !child.advanced);
  const advanced = children.filter((child) => child.advanced);
  const below = (child: FormNode): ManifestPath => [...path, keyIn(values, child)];
  const count = advanced.filter(isSet).length;
  return (
    <>
      {node.kind === "choice" && <ChoiceSwitch node={node} path={path} />}
      {plain.map((child) => (
        <FormItem key={child.key} node={child} path={below(child)} />
      ))}
      {advanced.length > 0 && (
        <details className="form-advanced" open={view.wanted !== "" || undefined}>
          <summary>
            Advanced ({advanced.length}
            {count > 0 && `, ${count} set`})
          </summary>
          {advanced.map((child) => (
            <FormItem key={child.key} node={child} path={below(child)} />
          ))}
        </details>
      )}
    </>
  );
}

/** A field, or a nested group with its name as the legend. */
function FormItem({ node, path }: Props) {
  if (node.kind !== "group" && node.kind !== "choice" && node.kind !== "record") {
    return <FormField node={node} path={path} />;
  }
  return (
    <fieldset className="form-group">
      <legend>
        <code>{node.key}</code>
      </legend>
      <p className="form-group__help">{node.description}</p>
      {node.kind === "record" ? (
        <RecordEditor node={node} path={path} />
      ) : (
        <FormGroup node={node} path={path} />
      )}
    </fieldset>
  );
}
