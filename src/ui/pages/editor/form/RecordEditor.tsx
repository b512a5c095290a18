import { useId, useState } from "react";
import {
  algorithmDefinition,
  algorithmFields,
  hpoRange,
  listAlgorithms,
} from "../../../../manifests/index.ts";
import { categoryFields } from "../../../../specs/algorithms.ts";
import { Button } from "../../../components/Button.tsx";
import { Select } from "../../../components/controls.tsx";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editField, useEditor } from "../editorStore.ts";
import { FormField } from "./FormField.tsx";
import { isValues, type RecordNode, valueAt } from "./formNodes.ts";
import { useRemark } from "./useField.ts";

const isKnown = (algorithm: string): boolean => listAlgorithms().some(({ name }) => name === algorithm);
const categoriesOf = (algorithm: string) => categoryFields(algorithmDefinition(algorithm).schema);

/** The algorithm's hyperparameters that can be searched. */
function candidates(algorithm: string): readonly string[] {
  if (!isKnown(algorithm)) return [];
  return [...algorithmFields(algorithm), ...categoriesOf(algorithm)].map(({ name }) => name);
}

/** The initial range: the published one, or else 0 to 1; all values of a category. */
const firstRange = (algorithm: string, name: string) => {
  const category = categoriesOf(algorithm).find((field) => field.name === name);
  if (category) return { choices: category.values };
  const { min, max } = hpoRange(algorithm, name) ?? { min: 0, max: 1 };
  return { min, max };
};

/** Search ranges of hyperparameters, one per row. */
export function RecordEditor({ node, path }: { readonly node: RecordNode; readonly path: ManifestPath }) {
  const id = useId();
  const record = useEditor(({ shown }) => valueAt(shown.values, path));
  const algorithm = useEditor(({ shown }) => valueAt(shown.values, ["algorithm", "name"]));
  const named = typeof algorithm === "string" ? algorithm : "";
  const present = isValues(record) ? Object.keys(record) : [];
  const absent = candidates(named).filter((name) => !present.includes(name));
  const [chosen, choose] = useState("");
  const next = absent.includes(chosen) ? chosen : (absent[0] ?? "");
  return (
    <>
      {present.map((name) => (
        <RecordRow key={name} node={node} path={[...path, name]} name={name} />
      ))}
      {absent.length > 0 && (
        <div className="record-add">
          <label htmlFor={id} className="visually-hidden">
            Hyperparameter to add to {node.key}
          </label>
          <Select id={id} value={next} options={absent} onChange={choose} />
          <Button
            onClick={() => editField([...path, next], { kind: "value", value: firstRange(named, next) })}
          >
            Add
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly node: RecordNode;
  readonly path: ManifestPath;
  readonly name: string;
}

function RecordRow({ node, path, name }: RowProps) {
  const remark = useRemark(path);
  const choices = useEditor(({ shown }) => valueAt(shown.values, [...path, "choices"]));
  const own = remark !== undefined && !remark.path.slice(0, -1).includes(`${name}.`) ? remark : undefined;
  return (
    <fieldset className="record-row">
      <legend>
        <code>{name}</code>
        <button
          type="button"
          className="form-field__unset dim"
          aria-label={`Remove ${name}`}
          onClick={() => editField(path, { kind: "unset" })}
        >
          ×
        </button>
      </legend>
      <div className="record-row__fields grid gap-2">
        {Array.isArray(choices) ? (
          <span>one of {choices.join(", ")}</span>
        ) : (
          node.item.children.map(
            (child) =>
              child.kind === "number" && (
                <FormField key={child.key} node={child} path={[...path, child.key]} brief />
              ),
          )
        )}
      </div>
      {own !== undefined && <p className="form-field__remark bad small breaks whole-row">{own.message}</p>}
    </fieldset>
  );
}
