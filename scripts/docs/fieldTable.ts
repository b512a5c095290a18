/** Fields of manifests as tables in Markdown, from their schemas: of an algorithm, of a kind of network, of a section. */
import { findArchitecture } from "../../src/rl/networks.ts";
import { algorithmTable, sharedTable } from "./algorithmTables.ts";
import { code, givenText, line, type Property, propertiesOf, table } from "./schemaFields.ts";
import { SECTIONS } from "./sections.ts";

function meaningOf({ description, "x-effect": effect }: Property): string {
  return effect === false ? `${description} Accepted and stored, but has no effect.` : description;
}

/**
 * One row for each setting of a kind of encoder but `arch`, and but those of the kinds that it consists of.
 * @throws RangeError for an unknown kind.
 */
export function networkTable(arch: string): string {
  const shared = (COMBINED[arch] ?? []).flatMap(networkRows).map(line);
  return table(
    ["field", "default with `arch`", "default without `arch`", "allowed", "meaning"],
    networkRows(arch).filter((row) => !shared.includes(line(row))),
  );
}

/** Kinds that consist of others, whose tables have the settings that mean the same. */
const COMBINED: Readonly<Record<string, readonly string[]>> = { cnn_lstm: ["cnn", "lstm"] };

function networkRows(arch: string): string[][] {
  const { spec, inferred } = findArchitecture(arch);
  return propertiesOf(spec, ["arch"]).map(([name, property]) => {
    const own = property.default === undefined ? "required" : code(property.default);
    const open = inferred && Object.hasOwn(inferred.defaults, name) ? code(inferred.defaults[name]) : "";
    return [`\`${name}\``, own, open, givenText(property), meaningOf(property)];
  });
}

/**
 * One row for each field of a manifest's section that has an effect, and the names of those that have none.
 * @throws RangeError for an unknown section.
 */
export function sectionTable(name: string): string {
  const section = SECTIONS[name];
  if (section === undefined)
    throw new RangeError(`section: found ${name}, allowed ${Object.keys(SECTIONS).join(", ")}`);
  const fields = propertiesOf(section.schema, section.leftOut ?? []);
  const unread = fields.filter(([, property]) => property["x-effect"] === false);
  const rows = table(
    ["field", "default", "allowed", "meaning"],
    fields
      .filter(([, property]) => property["x-effect"] !== false)
      .map(([field, property]) => {
        const own = property.default === undefined ? "required" : code(property.default);
        return [`\`${field}\``, own, givenText(property), property.description];
      }),
  );
  if (unread.length === 0) return rows;
  return `${rows}\n\nAccepted and stored, but without effect: ${unread.map(([field]) => `\`${field}\``).join(", ")}.`;
}

const TABLES = {
  algorithm: algorithmTable,
  shared: sharedTable,
  network: networkTable,
  section: sectionTable,
} as const;

const MARKED =
  /(<!-- fields of (algorithm|shared|network|section) ([\w.-]+) -->)[\s\S]*?(<!-- end of fields -->)/g;

/** A page whose tables between marks are generated again. */
export const withFieldTables = (page: string): string =>
  page.replaceAll(
    MARKED,
    (_, start: string, kind: keyof typeof TABLES, name: string, end: string) =>
      `${start}\n\n${TABLES[kind](name)}\n\n${end}`,
  );
