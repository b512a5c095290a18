import { use, useId } from "react";
import { isNetworkMap } from "../../../../manifests/index.ts";
import { TEXT_MODELS } from "../../../../specs/sections.ts";
import { Select } from "../../../components/controls.tsx";
import { mayBeGame } from "../../../games/isGame.ts";
import type { FieldEdit } from "../document/editManifest.ts";
import type { ManifestPath } from "../document/ManifestDocument.ts";
import { editFields, useEditor } from "../editorStore.ts";
import { FieldRemark, FormField } from "./FormField.tsx";
import { FormViewContext, isShown } from "./FormSearch.tsx";
import {
  BY_AGENT,
  type ChoiceNode,
  chosenOption,
  type FormNode,
  GAME_FIELDS,
  groupAt,
  isValues,
  keyIn,
  NETWORK_KINDS,
  unknownName,
  valueAt,
} from "./formNodes.ts";
import { RecordEditor } from "./RecordEditor.tsx";
import { useRemark } from "./useField.ts";

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
function ChoiceSwitch({ node, path }: { readonly node: ChoiceNode; readonly path: ManifestPath }) {
  const id = useId();
  const values = useEditor(({ shown }) => valueAt(shown.values, path));
  const names = node.tag?.names ?? NETWORK_KINDS;
  const chosen = chosenOption(node, values);
  const unknown = unknownName(node, values);
  const remark = useRemark(node.tag === null ? path : [...path, node.tag.key], true);
  return (
    <div className="form-field">
      <div className="form-field__text">
        <label htmlFor={id}>
          <code>{node.tag?.key ?? "settings"}</code>
        </label>
        <p className="faint">
          {node.tag === null
            ? "How the network is specified."
            : "Selects the kind. Each kind has its own fields."}
        </p>
      </div>
      <div className="form-field__value line gap-1 relative">
        <Select
          id={id}
          value={unknown ?? chosen}
          aria-invalid={remark?.level === "error"}
          aria-describedby={remark && `${id}-problem`}
          onChange={(option) => editFields(switchTo(node, path, values, Number(option)))}
        >
          {unknown !== null && <option value={unknown}>{unknown} (unknown)</option>}
          {names.map((name, option) => (
            <option
              key={name}
              value={option}
              disabled={node.tag === null && option === BY_AGENT && chosen !== BY_AGENT}
            >
              {name}
            </option>
          ))}
        </Select>
      </div>
      {remark && <FieldRemark id={`${id}-problem`} remark={remark} />}
    </div>
  );
}

interface Props {
  readonly node: FormNode;
  readonly path: ManifestPath;
}

/** The fields below a node; advanced fields are collapsed. */
export function FormGroup({ node, path }: Props) {
  const values = useEditor(({ shown }) => valueAt(shown.values, path));
  const inGame = useEditor(({ shown }) => mayBeGame(shown.values));
  const asked = use(FormViewContext);
  const group = groupAt(node, values);
  if (group === null) return null;
  const tag = node.kind === "choice" ? node.tag?.key : undefined;
  const isSet = (child: FormNode): boolean => isValues(values) && Object.hasOwn(values, keyIn(values, child));
  // A group whose own name matches the search is shown in full.
  const view =
    asked.wanted !== "" && node.key.toLowerCase().includes(asked.wanted) ? { ...asked, wanted: "" } : asked;
  const children = group.children.filter(
    (child) =>
      child.key !== tag &&
      isShown(child, view, isSet(child)) &&
      (inGame || !GAME_FIELDS.has(child.key) || isSet(child)),
  );
  const isPlain = (child: FormNode): boolean => !child.advanced || GAME_FIELDS.has(child.key);
  const plain = children.filter(isPlain);
  const advanced = children.filter((child) => !isPlain(child));
  const below = (child: FormNode): ManifestPath => [...path, keyIn(values, child)];
  const count = advanced.filter(isSet).length;
  return (
    <>
      {node.kind === "choice" && <ChoiceSwitch node={node} path={path} />}
      {plain.map((child) => (
        <FormItem key={child.key} node={child} path={below(child)} />
      ))}
      {advanced.length > 0 && (
        <details className="stack form-advanced" open={view.wanted !== "" || undefined}>
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
    <fieldset className="stack form-group">
      <legend>
        <code>{node.key}</code>
      </legend>
      <p className="quiet">{node.description}</p>
      {node.kind === "record" ? (
        <RecordEditor node={node} path={path} />
      ) : (
        <FormGroup node={node} path={path} />
      )}
    </fieldset>
  );
}
