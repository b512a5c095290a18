/**
 * Tables of the fields of algorithms. A field that means the same in several algorithms has one row in docs: in the
 * table of its family, or, if only two have it, on the page of the first. The others' pages name it, with their own
 * default.
 */
import { algorithmDefinition, listAlgorithms } from "../../src/manifests/index.ts";
import { allowedText, code, propertiesOf, table } from "./schemaFields.ts";

/** Fields that this many algorithms have are in the table of the family. */
const SHARED_BY = 3;

/** Algorithms that share a page with another one. */
const VARIANTS = ["GSPO", "CISPO"];

const FAMILIES = ["reinforcement-learning", "language-models"] as const;
type Family = (typeof FAMILIES)[number];

const familyOf = ({ language_model }: { readonly language_model: boolean }): Family =>
  language_model ? "language-models" : "reinforcement-learning";

const membersOf = (family: Family): readonly string[] =>
  listAlgorithms()
    .filter((algorithm) => familyOf(algorithm) === family && !VARIANTS.includes(algorithm.name))
    .map(({ name }) => name);

interface Field {
  readonly name: string;
  readonly initial: string;
  /** The cells of its row that do not depend on the algorithm. */
  readonly allowed: string;
  readonly searched: string;
  readonly meaning: string;
  readonly effect: boolean;
}

const known = new Map<string, readonly Field[]>();

/** The fields of an algorithm but `name`, those without effect last. */
function fieldsOf(algorithm: string): readonly Field[] {
  const fields = known.get(algorithm) ?? fieldsIn(algorithm);
  known.set(algorithm, fields);
  return fields;
}

function fieldsIn(algorithm: string): readonly Field[] {
  const { schema } = algorithmDefinition(algorithm);
  const defaults = schema.parse({ name: algorithm });
  const fields = propertiesOf(schema, ["name"]).map(([name, property]) => {
    const search = property["x-hpo-range"];
    const effect = property["x-effect"] !== false;
    return {
      name,
      initial: code(defaults[name]),
      allowed: allowedText(property),
      searched: search ? `${search.min} to ${search.max}` : "",
      meaning: effect ? property.description : `*No effect.* ${property.description}`,
      effect,
    };
  });
  return [...fields.filter(({ effect }) => effect), ...fields.filter(({ effect }) => !effect)];
}

/** Where a field has its row, with the algorithms in which it means the same. */
interface Home {
  readonly field: Field;
  readonly users: readonly string[];
  /** The algorithm on whose page it is; `null` for the table of the family. */
  readonly page: string | null;
}

const keyOf = ({ name, allowed, searched, meaning }: Field): string =>
  JSON.stringify([name, allowed, searched, meaning]);

/** The value that occurs most often, the first of several. */
function mostCommon(values: readonly string[]): string {
  const count = (value: string): number => values.filter((one) => one === value).length;
  return values.toSorted((a, b) => count(b) - count(a))[0] ?? "";
}

/** The homes of all fields of a family, by their keys. */
function homesOf(family: Family): ReadonlyMap<string, Home> {
  const all = membersOf(family).flatMap((user) => fieldsOf(user).map((field) => ({ user, field })));
  const groups = new Map<string, typeof all>();
  for (const one of all) groups.set(keyOf(one.field), [...(groups.get(keyOf(one.field)) ?? []), one]);
  const homes = [...groups].map(([key, uses]): [string, Home] => {
    const [{ user, field }] = uses as [(typeof uses)[number]];
    const variants = all.filter((one) => one.field.name === field.name).map((one) => keyOf(one.field));
    const isShared = uses.length >= SHARED_BY && mostCommon(variants) === key;
    const initial = isShared ? mostCommon(uses.map((one) => one.field.initial)) : field.initial;
    const users = uses.map((one) => one.user);
    return [key, { field: { ...field, initial }, users, page: isShared ? null : user }];
  });
  return new Map(homes);
}

const COLUMNS = ["field", "default", "allowed (search range)"] as const;

const cells = ({ name, initial, allowed, searched }: Field): string[] => [
  `\`${name}\``,
  initial,
  searched === "" ? allowed : `${allowed} (${searched})`,
];

function usersText(users: readonly string[], members: readonly string[]): string {
  const others = members.filter((name) => !users.includes(name));
  if (others.length === 0) return "All";
  return others.length < users.length ? `All but ${others.join(", ")}` : users.join(", ");
}

/**
 * The fields that at least three algorithms of a family share, below the names of the algorithms that have them.
 * @throws RangeError for an unknown family.
 */
export function sharedTable(name: string): string {
  const family = FAMILIES.find((one) => one === name);
  if (family === undefined) throw new RangeError(`family: found ${name}, allowed ${FAMILIES.join(", ")}`);
  const shared = [...homesOf(family).values()].filter(({ page }) => page === null);
  const sorted = [
    ...shared.filter(({ field }) => field.effect),
    ...shared.filter(({ field }) => !field.effect),
  ];
  const groups = new Map<string, string[][]>();
  for (const { field, users } of sorted.toSorted((a, b) => b.users.length - a.users.length)) {
    const title = usersText(users, membersOf(family));
    groups.set(title, [...(groups.get(title) ?? []), [...cells(field), field.meaning]]);
  }
  const rows = [...groups].flatMap(([title, members]) => [[`**${title}**`, "", "", ""], ...members]);
  return table([...COLUMNS, "meaning"], rows);
}

/** RainbowDQN: rainbow-dqn.md */
const fileOf = (algorithm: string): string =>
  `${algorithm.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;

/**
 * One row for each field of an algorithm but `name` that has its row on the algorithm's page. Then the names of the
 * others, by where their rows are, with the algorithm's defaults where they differ.
 * @throws SpecError for an unknown algorithm, ZodError for a field without description.
 */
export function algorithmTable(algorithm: string): string {
  const family = familyOf(algorithmDefinition(algorithm));
  const homes = homesOf(family);
  const own: string[][] = [];
  const elsewhere = new Map<string, string[]>();
  for (const field of fieldsOf(algorithm)) {
    const home = homes.get(keyOf(field));
    if (home === undefined || home.page === algorithm) {
      own.push([...cells(field), field.meaning]);
      continue;
    }
    const place =
      home.page === null
        ? `[several algorithms](README.md#fields-of-${family})${field.effect ? "" : ", *no effect*"}`
        : `[${home.page}](${fileOf(home.page)}#fields)`;
    const changed = field.initial === home.field.initial ? "" : ` (${field.initial})`;
    elsewhere.set(place, [...(elsewhere.get(place) ?? []), `\`${field.name}\`${changed}`]);
  }
  const rest = [...elsewhere].map(([place, names]) => [place, names.join(", ")]);
  return [
    own.length > 0 && table([...COLUMNS, "meaning"], own),
    rest.length > 0 && table(["shared with", "fields (with the default, where it differs)"], rest),
  ]
    .filter((part) => part !== false)
    .join("\n\n");
}
