import { useId } from "react";
import { TEXT_MODELS } from "../../../../specs/builtIn.ts";
import { isNetworkMap } from "../../../../specs/index.ts";
import type { FieldEdit } from "../document/editManifest.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editFields, useEditor } from "../editorStore.ts";
import type { ChoiceNode } from "./FormNode.ts";
import { BY_AGENT, chosenOption, isValues, NETWORK_KINDS, valueAt } from "./formPaths.ts";

const UNSET: FieldEdit = { kind: "unset" };

/** The edits that switch to another option: set its name, and unset the keys that only the old option has. */
function switchTo(
  node: ChoiceNode,
  path: ManifestPath,
  values: unknown,
  option: number,
): (readonly [ManifestPath, FieldEdit])[] {
  const next = node.options[option];
  if (next === undefined) return [];
  if (node.tag === null) {
    const value = (wanted: boolean, text: string): FieldEdit =>
      wanted ? { kind: "value", value: text } : UNSET;
    const agents = isNetworkMap(values) ? Object.keys(values) : [];
    return [
      ...agents.map((key) => [[...path, key], UNSET] as const),
      [[...path, "arch"], UNSET],
      [[...path, "encoder_config", "arch"], value(option === 1, "mlp")],
      [[...path, "pretrained_model_name_or_path"], value(option === 2, TEXT_MODELS[0])],
    ];
  }
  const known = new Set(next.children.flatMap((child) => [child.key, ...child.aliases]));
  const foreign = isValues(values) ? Object.keys(values).filter((key) => !known.has(key)) : [];
  const name = node.tag.names[option] ?? "";
  return [
    [[...path, node.tag.key], { kind: "value", value: name }],
    ...foreign.map((key) => [[...path, key], UNSET] as const),
  ];
}

/** Selects the kind of a section. */
export function ChoiceSwitch({ node, path }: { readonly node: ChoiceNode; readonly path: ManifestPath }) {
  const id = useId();
  const values = useEditor(({ shown }) => valueAt(shown.values, path));
  const names = node.tag?.names ?? NETWORK_KINDS;
  const chosen = chosenOption(node, values);
  return (
    <div className="form-field">
      <div className="form-field__text">
        <label htmlFor={id}>
          <code>{node.tag?.key ?? "settings"}</code>
        </label>
        <p>
          {node.tag === null
            ? "How the network is specified."
            : "Selects the kind. Each kind has its own fields."}
        </p>
      </div>
      <div className="form-field__value">
        <select
          id={id}
          className="field"
          value={chosen}
          onChange={(event) => editFields(switchTo(node, path, values, Number(event.currentTarget.value)))}
        >
          {names.map((name, option) => (
            <option
              key={name}
              value={option}
              disabled={node.tag === null && option === BY_AGENT && chosen !== BY_AGENT}
            >
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
