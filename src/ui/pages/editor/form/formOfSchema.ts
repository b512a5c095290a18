import { manifestJsonSchema } from "../../../../manifests/index.ts";
import { plainText } from "../../../lib/format.ts";
import type { ChoiceNode, FieldNode, FormNode, GroupNode, NodeBase } from "./formNodes.ts";

/** The subset of JSON Schema that `manifestJsonSchema` writes and the form reads. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly additionalProperties?: FormSchema | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: FormSchema | boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly "x-unit"?: string;
  readonly "x-advanced"?: boolean;
  readonly "x-effect"?: boolean;
}

const ALIAS = /^Another name of (.+)\.$/;

function unsetText(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return "unset";
  if (typeof value === "object") return Array.isArray(value) && value.length > 0 ? value.join(", ") : null;
  return plainText(value);
}

function baseOf(key: string, schema: FormSchema, required: boolean, aliases: readonly string[]): NodeBase {
  return {
    key,
    aliases,
    description: schema.description ?? "",
    required,
    nullable: isNullable(schema),
    advanced: schema["x-advanced"] === true,
    effect: schema["x-effect"] !== false,
    unit: schema["x-unit"] ?? null,
    unset: unsetText(schema.default),
  };
}

function isNullable({ type, anyOf, oneOf }: FormSchema): boolean {
  const types = typeof type === "string" ? [type] : (type ?? []);
  return types.includes("null") || (anyOf ?? oneOf ?? []).some(isNullable);
}

/** The alternatives of a schema, with nested unions flattened and without null and aliases. */
function alternatives(schema: FormSchema): readonly FormSchema[] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options === undefined) return [schema];
  const own = options.filter(({ deprecated }) => deprecated !== true);
  return own.flatMap(alternatives).filter((option) => option.type !== "null");
}

function typesOf(schema: FormSchema): readonly string[] {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.filter((type) => type !== "null");
}

/** Whether the options are a list of numbers, or alternatively a single number. */
function isNumbers(options: readonly FormSchema[]): boolean {
  const [list, ...others] = options;
  const isList = list?.type === "array" && typeof list.items === "object" && isNumber(list.items);
  return isList && others.every(isNumber);
}

function isNumber(schema: FormSchema): boolean {
  const types = typesOf(schema);
  return types.length === 1 && (types[0] === "number" || types[0] === "integer");
}

/** The values of a switch that has named positions besides on and off; null for other options. */
function switchValues([first, ...named]: readonly FormSchema[]): readonly unknown[] | null {
  if (!first || typesOf(first)[0] !== "boolean" || named.length === 0) return null;
  const names = named.map((option) => option.const);
  return names.every((name) => typeof name === "string") ? [false, true, ...names] : null;
}

function fieldOf(base: NodeBase, options: readonly FormSchema[], fallback: unknown): FieldNode {
  const field = (kind: FieldNode["kind"], values: readonly unknown[] = []): FieldNode => ({
    ...base,
    kind,
    values: values.map(String),
    fallback: typeof fallback === "boolean" ? fallback : null,
  });
  const [only] = options;
  if (isNumbers(options)) return field("numbers");
  const switched = switchValues(options);
  if (switched) return field("enum", switched);
  if (options.length !== 1 || only === undefined) return field("free");
  if (only.const !== undefined) return field("enum", [only.const]);
  if (only.enum !== undefined) return field("enum", only.enum);
  if (isNumber(only)) return field("number");
  const types = typesOf(only);
  if (types.length !== 1) return field("free");
  if (types[0] === "boolean") return field("boolean");
  return field(types[0] === "string" ? "text" : "free");
}

function groupOf(base: NodeBase, schema: FormSchema): GroupNode {
  const properties = Object.entries(schema.properties ?? {});
  const aliasesOf = (name: string): readonly string[] =>
    properties.flatMap(([alias, property]) =>
      property.deprecated === true && ALIAS.exec(property.description ?? "")?.[1] === name ? [alias] : [],
    );
  const children = properties
    .filter(([, property]) => property.deprecated !== true)
    .map(([key, property]) => nodeOf(key, property, schema.required?.includes(key) === true, aliasesOf(key)));
  return { ...base, kind: "group", children };
}

/** The key that is a string constant in every option; null if there is none. */
function tagOf(options: readonly FormSchema[]): ChoiceNode["tag"] {
  for (const key of Object.keys(options[0]?.properties ?? {})) {
    const names = options.map((option) => option.properties?.[key]?.const);
    if (names.every((name) => typeof name === "string")) return { key, names };
  }
  return null;
}

const isMap = ({ additionalProperties }: FormSchema): boolean => typeof additionalProperties === "object";

function nodeOf(
  key: string,
  schema: FormSchema,
  required: boolean,
  aliases: readonly string[] = [],
): FormNode {
  const base = baseOf(key, schema, required, aliases);
  const options = alternatives(schema);
  // A mapping among other groups is edited as text: it has no fixed fields.
  const groups = options.filter(
    (option) => option.properties !== undefined || (options.length > 1 && isMap(option)),
  );
  const [only] = groups;
  if (groups.length === options.length && only !== undefined) {
    if (groups.length === 1) return groupOf(base, only);
    return {
      ...base,
      kind: "choice",
      options: groups.map((group) => groupOf(base, group)),
      tag: tagOf(groups),
    };
  }
  const item = options.length === 1 ? options[0]?.additionalProperties : undefined;
  if (typeof item === "object" && item.properties !== undefined) {
    return { ...base, kind: "record", item: groupOf(baseOf(key, item, false, []), item) };
  }
  return fieldOf(base, options, schema.default);
}

/** Builds the form of a manifest: its sections with all their fields, in schema order. */
export function formOfSchema(schema: FormSchema): GroupNode {
  return groupOf(baseOf("", schema, true, []), schema);
}

/** The form with every field of a manifest, built once from the specs. */
export const manifestForm = formOfSchema(manifestJsonSchema() as FormSchema);
