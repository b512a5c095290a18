/** The fields of a schema, and tables of Markdown that say them. */
import { z } from "zod";
import { ACTIVATIONS } from "../../src/manifests/index.ts";

const Type = z.union([z.string(), z.array(z.string())]);

/** What JSON Schema says of one field, as far as tables show it. */
const Property = z.looseObject({
  description: z.string(),
  default: z.unknown().optional(),
  type: Type.optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  anyOf: z.array(z.looseObject({ type: Type.optional() })).optional(),
  "x-effect": z.boolean().optional(),
  "x-hpo-range": z.object({ min: z.number(), max: z.number() }).optional(),
});
export type Property = z.output<typeof Property>;

const Properties = z.object({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).default([]),
});

/** Bounds that only say what a machine number holds are none. */
const LARGEST_SHOWN = 1e9;

function rangeText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Property): string {
  const least = minimum !== undefined && minimum > -LARGEST_SHOWN ? minimum : null;
  const most = maximum !== undefined && maximum < LARGEST_SHOWN ? maximum : null;
  const above = exclusiveMinimum !== undefined && exclusiveMinimum > -LARGEST_SHOWN ? exclusiveMinimum : null;
  const below = exclusiveMaximum !== undefined && exclusiveMaximum < LARGEST_SHOWN ? exclusiveMaximum : null;
  if (least !== null && most !== null) return ` ${least} to ${most}`;
  const bounds = [
    above !== null && `above ${above}`,
    least !== null && `from ${least}`,
    below !== null && `below ${below}`,
    most !== null && `up to ${most}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? "" : ` ${bounds.join(", ")}`;
}

const isActivation = (choices: readonly unknown[]): boolean =>
  ACTIVATIONS.every((name) => choices.includes(name));

/** What a field may be, in words. */
export function allowedText(property: Property): string {
  const { enum: choices, const: only, anyOf, type } = property;
  if (only !== undefined) return `\`${String(only)}\``;
  if (choices && isActivation(choices)) return "[activation](#activations)";
  if (choices) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (anyOf) {
    const some = anyOf.map((option) => allowedText(Property.parse({ description: "", ...option })));
    return [...new Set(some)].join(" or ");
  }
  if (Array.isArray(type)) return type.map((one) => allowedText({ ...property, type: one })).join(" or ");
  if (type === "object") return "mapping";
  if (type === "array") return "list";
  if (type === "boolean") return "`true`, `false`";
  return `${type ?? "any"}${rangeText(property)}`;
}

/** The same for a field whose default, null, leaves it unset: the default says so. */
export const givenText = (property: Property): string =>
  property.default === null ? allowedText(property).replace(/ or null$/, "") : allowedText(property);

export const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

export const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");

/** A schema's fields but `leftOut`, as JSON Schema says them. */
export const propertiesOf = (
  schema: z.ZodType,
  leftOut: readonly string[],
): [name: string, property: Property][] => {
  const { properties, required } = Properties.parse(
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
  );
  return Object.entries(properties)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, property]) => [
      name,
      Property.parse(required.includes(name) ? property : { default: null, ...property }),
    ]);
};
