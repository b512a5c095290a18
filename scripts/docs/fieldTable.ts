/** Fields of manifests as tables in Markdown, from their schemas: of an algorithm, of a kind of network, of a section. */
import { z } from "zod";
import { algorithmDefinition } from "../../src/manifests/index.ts";
import { findArchitecture } from "../../src/rl/networks.ts";
import { SECTIONS } from "./sections.ts";

const Type = z.union([z.string(), z.array(z.string())]);

/** What JSON Schema says of one field, as far as tables show it. */
const Property = z.looseObject({
  description: z.string(),
  default: z.unknown().optional(),
  type: Type.optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  anyOf: z.array(z.looseObject({ type: Type.optional() })).optional(),
  "x-effect": z.boolean().optional(),
  "x-hpo-range": z.object({ min: z.number(), max: z.number() }).optional(),
});
type Property = z.output<typeof Property>;

const Properties = z.object({ properties: z.record(z.string(), z.looseObject({})) });

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

/** What a field may be, in words. */
function allowedText(property: Property): string {
  const { enum: choices, anyOf, type } = property;
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

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");

/** A schema's fields but `leftOut`, as JSON Schema says them. */
const propertiesOf = (
  schema: z.ZodType,
  leftOut: readonly string[],
): [name: string, property: Property][] => {
  const { properties } = Properties.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return Object.entries(properties)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, property]) => [name, Property.parse(property)]);
};

function meaningOf({ description, "x-effect": effect }: Property): string {
  return effect === false ? `${description} Accepted and stored, but has no effect.` : description;
}

/**
 * One row for each field of an algorithm but `name`.
 * @throws SpecError for an unknown algorithm, ZodError for a field without description.
 */
export function algorithmTable(algorithm: string): string {
  const { schema } = algorithmDefinition(algorithm);
  const defaults = schema.parse({ name: algorithm });
  return table(
    ["field", "default", "allowed", "suggested search range", "meaning"],
    propertiesOf(schema, ["name"]).map(([name, property]) => {
      const search = property["x-hpo-range"];
      const searched = search ? `${search.min} to ${search.max}` : "";
      return [`\`${name}\``, code(defaults[name]), allowedText(property), searched, meaningOf(property)];
    }),
  );
}

/**
 * One row for each setting of a kind of encoder but `arch`.
 * @throws RangeError for an unknown kind.
 */
export function networkTable(arch: string): string {
  const { spec, inferred } = findArchitecture(arch);
  return table(
    ["field", "default with `arch`", "default without `arch`", "allowed", "meaning"],
    propertiesOf(spec, ["arch"]).map(([name, property]) => {
      const own = property.default === undefined ? "required" : code(property.default);
      const open = inferred && Object.hasOwn(inferred.defaults, name) ? code(inferred.defaults[name]) : "";
      return [`\`${name}\``, own, open, allowedText(property), meaningOf(property)];
    }),
  );
}

/**
 * One row for each field of a manifest's section.
 * @throws RangeError for an unknown section.
 */
export function sectionTable(name: string): string {
  const section = SECTIONS[name];
  if (section === undefined)
    throw new RangeError(`section: found ${name}, allowed ${Object.keys(SECTIONS).join(", ")}`);
  return table(
    ["field", "default", "allowed", "meaning"],
    propertiesOf(section.schema, section.leftOut ?? []).map(([field, property]) => {
      const own = property.default === undefined ? "required" : code(property.default);
      return [`\`${field}\``, own, allowedText(property), meaningOf(property)];
    }),
  );
}

const TABLES = { algorithm: algorithmTable, network: networkTable, section: sectionTable } as const;

const MARKED = /(<!-- fields of (algorithm|network|section) ([\w.]+) -->)[\s\S]*?(<!-- end of fields -->)/g;

/** A page with all tables between its marks made anew. */
export const withFieldTables = (page: string): string =>
  page.replaceAll(
    MARKED,
    (_, start: string, kind: keyof typeof TABLES, name: string, end: string) =>
      `${start}\n\n${TABLES[kind](name)}\n\n${end}`,
  );
