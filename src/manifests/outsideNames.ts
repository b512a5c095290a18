/** What a manifest names outside itself, found by its schema: files, folders, modules, models and addresses. */
import { EFFECT_KEY, OUTSIDE_KEY } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { manifestJsonSchema } from "./manifestJsonSchema.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** A field that names something outside the manifest. */
export interface OutsideName {
  readonly segments: readonly (string | number)[];
  readonly value: string;
  /** Names that the field could have, which are built in. */
  readonly built_in: readonly string[];
  /** False if nothing in this library reads the field. */
  readonly is_used: boolean;
}

type Node = Readonly<Record<string, unknown>>;

let schema: Node | null = null;

/** Every field of a manifest that names something outside it. Built-in names are not included. */
export function outsideNames(manifest: TrainingManifest): OutsideName[] {
  schema ??= { ...manifestJsonSchema() };
  return [...namesIn(schema, manifest, [])];
}

const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isMapping) : []);

/** Whether an option of a union may be the one that a value has, by the fields that select it. */
const fits = ({ properties }: Node, value: unknown): boolean =>
  !isMapping(value) ||
  !isMapping(properties) ||
  Object.entries(properties).every(
    ([key, property]) =>
      !isMapping(property) ||
      !Object.hasOwn(property, "const") ||
      (value[key] ?? property.const) === property.const,
  );

function* namesIn(node: Node, value: unknown, segments: OutsideName["segments"]): Generator<OutsideName> {
  if (value === null || value === undefined) return;
  const outside = node[OUTSIDE_KEY];
  if (Array.isArray(outside))
    for (const text of textsIn(value, segments))
      if (!outside.includes(text.value))
        yield { ...text, built_in: outside.map(String), is_used: node[EFFECT_KEY] !== false };
  for (const key of ["anyOf", "oneOf", "allOf"] as const)
    for (const option of nodes(node[key])) if (fits(option, value)) yield* namesIn(option, value, segments);
  if (Array.isArray(value)) {
    if (isMapping(node.items))
      for (const [i, item] of value.entries()) yield* namesIn(node.items, item, [...segments, i]);
    return;
  }
  if (!isMapping(value)) return;
  const { properties = {}, additionalProperties } = node;
  for (const [key, item] of Object.entries(value)) {
    const known = isMapping(properties) ? properties[key] : undefined;
    const child = known ?? additionalProperties;
    if (isMapping(child)) yield* namesIn(child, item, [...segments, key]);
  }
}

/** The texts in a field's value: the value itself, or those of a list. */
function* textsIn(
  value: unknown,
  segments: OutsideName["segments"],
): Generator<Pick<OutsideName, "segments" | "value">> {
  if (typeof value === "string") yield { segments, value };
  if (!Array.isArray(value)) return;
  for (const [i, item] of value.entries()) yield* textsIn(item, [...segments, i]);
}
