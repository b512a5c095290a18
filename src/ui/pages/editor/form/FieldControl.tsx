import { useId } from "react";
import { parseDocument } from "yaml";
import { Select } from "../../../components/controls.tsx";
import { plainText } from "../../../lib/format.ts";
import type { FieldEdit } from "../document/editManifest.ts";
import { type ManifestPath, YAML_OPTIONS } from "../document/ManifestDocument.ts";
import { editField, useEditor } from "../editorStore.ts";
import { type FieldNode, valueAt } from "./formNodes.ts";
import { useSuggestions, useTypedText } from "./useField.ts";

interface Props {
  readonly id: string;
  readonly node: FieldNode;
  readonly path: ManifestPath;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
}

/** The input of a field, by its kind. */
export function FieldControl(props: Props) {
  switch (props.node.kind) {
    case "boolean":
      return props.node.fallback === null ? <Choice {...props} values={ON_OFF} /> : <Switch {...props} />;
    case "enum":
      return <Choice {...props} />;
    case "number":
      return <TextInput {...props} editOf={asNumber} />;
    case "numbers":
      return <TextInput {...props} editOf={asNumbers} />;
    case "text":
      return <TextInput {...props} editOf={asText} />;
    case "free":
      return <TextInput {...props} editOf={asYaml} show={showYaml} />;
  }
}

const asNumber = (text: string): FieldEdit => ({ kind: "number", text });
const asNumbers = (text: string): FieldEdit => ({ kind: "numbers", text });
const asText = (text: string): FieldEdit => ({ kind: "value", value: text });

/** Parses any value in YAML flow style; invalid YAML is taken as text. */
function asYaml(text: string): FieldEdit {
  const document = parseDocument(text, YAML_OPTIONS);
  return { kind: "value", value: document.errors.length > 0 ? text : document.toJS() };
}

const showYaml = (written: string, value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : written;

interface TextProps extends Props {
  readonly editOf: (text: string) => FieldEdit;
  readonly show?: (written: string, value: unknown) => string;
}

function TextInput({ id, node, path, invalid, describedBy, editOf, show }: TextProps) {
  const { text, type } = useTypedText(path, editOf, show);
  const list = useId();
  const suggestions = useSuggestions(path);
  const isNumeric = node.kind === "number";
  return (
    <>
      <input
        id={id}
        className={isNumeric ? "field field--number" : "field"}
        value={text}
        placeholder={node.unset ?? (node.required ? "required" : "unset")}
        inputMode={isNumeric ? "decimal" : undefined}
        list={suggestions.length > 0 ? list : undefined}
        autoComplete="off"
        spellCheck={false}
        required={node.required}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

function Switch({ id, node, path, invalid, describedBy }: Props) {
  const value = useEditor(({ shown }) => valueAt(shown.values, path));
  const on = typeof value === "boolean" ? value : node.fallback === true;
  return (
    <span className="quiet switch inline gap-2">
      <input
        id={id}
        type="checkbox"
        checked={on}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => editField(path, { kind: "value", value: event.currentTarget.checked })}
      />
      <span aria-hidden="true">
        {on ? "on" : "off"}
        {value === undefined && " (default)"}
      </span>
    </span>
  );
}

/** Choices are texts; those of a switch are on, off and names. */
const chosenValue = (text: string): unknown => (["true", "false"].includes(text) ? text === "true" : text);

const ON_OFF_WORDS: Readonly<Record<string, string>> = { true: "on", false: "off" };

/** A value as a choice shows it. */
const shownValue = (value: string): string => ON_OFF_WORDS[value] ?? value;

/** The values of a boolean field whose default the schema does not state, so that "unset" is a third one. */
const ON_OFF = ["true", "false"] as const;

interface ChoiceProps extends Props {
  /** Defaults to those of the node. */
  readonly values?: readonly string[];
}

function Choice({ id, node, path, invalid, describedBy, values = node.values }: ChoiceProps) {
  const value = useEditor(({ shown }) => valueAt(shown.values, path));
  const chosen = value === undefined || value === null ? "" : plainText(value);
  const all = chosen === "" || values.includes(chosen) ? values : [chosen, ...values];
  const unset =
    node.unset === null || node.unset === "unset" ? "unset" : `${shownValue(node.unset)} (default)`;
  return (
    <Select
      id={id}
      value={chosen}
      options={[["", unset], ...all.map((one) => [one, shownValue(one)] as const)]}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={(next) =>
        editField(path, next === "" ? { kind: "unset" } : { kind: "value", value: chosenValue(next) })
      }
    />
  );
}
