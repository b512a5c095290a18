import { isNetworkMap, listAlgorithms } from "../../../../manifests/index.ts";
import { nearest } from "../../../../specs/messages.ts";
import { plainText } from "../../../lib/format.ts";
import { type ManifestPath, numberOf } from "../document/ManifestDocument.ts";

/** Properties common to all form nodes. */
export interface NodeBase {
  /** The key in the manifest, also used as the label. */
  readonly key: string;
  /** Alternative names of the key in the text. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly required: boolean;
  /** Whether null is a valid value. */
  readonly nullable: boolean;
  /** Whether the node is collapsed by default. */
  readonly advanced: boolean;
  /** False if the value is only preserved and has no effect here. */
  readonly effect: boolean;
  readonly unit: string | null;
  /** The default as text; null if the schema does not state one. */
  readonly unset: string | null;
}

export interface GroupNode extends NodeBase {
  readonly kind: "group";
  readonly children: readonly FormNode[];
}

/** A choice among several groups. */
export interface ChoiceNode extends NodeBase {
  readonly kind: "choice";
  readonly options: readonly GroupNode[];
  /**
   * The key whose value names the option, and the names in the order of `options`; null if the content
   * determines the option.
   */
  readonly tag: { readonly key: string; readonly names: readonly string[] } | null;
}

/** A mapping from user-chosen names to groups. */
export interface RecordNode extends NodeBase {
  readonly kind: "record";
  readonly item: GroupNode;
}

/** A single value. */
export interface FieldNode extends NodeBase {
  readonly kind: "number" | "boolean" | "enum" | "text" | "numbers" | "free";
  /** The allowed values of an "enum"; empty for other kinds. */
  readonly values: readonly string[];
  /** The default of a "boolean"; null if the schema does not state one. */
  readonly fallback: boolean | null;
}

export type FormNode = GroupNode | ChoiceNode | RecordNode | FieldNode;

/** Fields of `training` that only games have. */
export const GAME_FIELDS: ReadonlySet<string> = new Set([
  "opponents",
  "opponent_pool",
  "opponent_interval",
  "opening_moves",
  "symmetries",
  "search",
]);

type Values = Readonly<Record<string, unknown>>;

export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The key of a node in these values: its own key, or the alias that the text uses. */
export function keyIn(values: unknown, node: FormNode): string {
  if (!isValues(values) || Object.hasOwn(values, node.key)) return node.key;
  return node.aliases.find((alias) => Object.hasOwn(values, alias)) ?? node.key;
}

/** The value at a path; undefined if there is none. */
export function valueAt(values: unknown, path: ManifestPath): unknown {
  let value = values;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isValues(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }
  return value;
}

/** Whether a network section is fully specified, that is, it or its encoder names an architecture. */
function declaresArchitecture(values: unknown): boolean {
  if (!isValues(values)) return false;
  return (
    values.arch !== undefined || (isValues(values.encoder_config) && values.encoder_config.arch !== undefined)
  );
}

/** Options of a network section, in schema order. */
export const NETWORK_KINDS = [
  "derived: unset sizes follow from the environment",
  "explicit: every setting is given",
  "language model: a pretrained model and its adapter",
  "per agent: a separate network for each agent, edited as text",
] as const;
/** Index of the option in {@link NETWORK_KINDS} that is edited as text. */
export const BY_AGENT = 3;

/** The name of an option that the values have, as the form spells it; null for none. */
function nameOf({ key }: NonNullable<ChoiceNode["tag"]>, values: unknown): string | null {
  const written = isValues(values) ? values[key] : undefined;
  if (written === undefined || written === null) return null;
  const name = plainText(written);
  return listAlgorithms().find(({ other_names }) => other_names.includes(name))?.name ?? name;
}

/** The name in the values that no option has; null if there is none. */
export function unknownName(node: ChoiceNode, values: unknown): string | null {
  const name = node.tag && nameOf(node.tag, values);
  return name === null || node.tag?.names.includes(name) ? null : name;
}

/**
 * Index of the option of a choice that the values select: for an unknown name, that with the closest one; -1 if none is
 * close.
 */
export function chosenOption(node: ChoiceNode, values: unknown): number {
  if (node.tag === null) {
    if (isValues(values) && values.pretrained_model_name_or_path !== undefined) return 2;
    if (isNetworkMap(values)) return BY_AGENT;
    return declaresArchitecture(values) ? 1 : 0;
  }
  const name = nameOf(node.tag, values);
  return name === null ? 0 : node.tag.names.indexOf(nearest(name, node.tag.names) ?? "");
}

/** The group selected at a node; null for fields and records. */
export function groupAt(node: FormNode, values: unknown): GroupNode | null {
  switch (node.kind) {
    case "group":
      return node;
    case "choice":
      return node.options[chosenOption(node, values)] ?? null;
    case "record":
    case "number":
    case "boolean":
    case "enum":
    case "text":
    case "numbers":
    case "free":
      return null;
  }
}

/** The child node for a key; null if the form has none. */
function childOf(node: FormNode, values: unknown, key: string | number): FormNode | null {
  if (node.kind === "record") return { ...node.item, key: String(key) };
  const children = groupAt(node, values)?.children ?? [];
  return children.find((child) => child.key === key || child.aliases.includes(String(key))) ?? null;
}

/** The node at a path of keys, following the options that the values select; null if the form has none. */
export function nodeAt(form: GroupNode, values: unknown, path: ManifestPath): FormNode | null {
  let node: FormNode | null = form;
  for (const [depth, key] of path.entries()) {
    if (node === null) return null;
    node = childOf(node, valueAt(values, path.slice(0, depth)), key);
  }
  return node;
}

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
