/** Tables of bandits: built-in ones, and those from CSV files. */
import { KeptDatasets, keepsDatasets } from "../../datasets/kept.ts";
import { type BanditEnvSpec, SpecError } from "../../manifests/index.ts";
import { BanditEnvironment, type BanditTable, flowers } from "../../rl/environments.ts";
import { FLOWERS } from "../../specs/sections.ts";
import { baseName, type FileStore, parentPath } from "../../storage/index.ts";
import { classesIn, numbersIn, type TableFile } from "./tableFiles.ts";

/** The manifest section that each environment was read from. */
const sections = new WeakMap<object, object>();

/** A manifest section for a bandit environment; names its files if it was read from files. */
export const banditSection = (environment: BanditEnvironment): object =>
  sections.get(environment) ?? { env_type: "bandit", name: environment.spec.id, num_envs: 1 };

/** File names of a table that a browser keeps. */
export const TABLE_FILES = ["features.csv", "targets.csv"] as const;

/** Built-in tables, by the name that a manifest gives as both features and targets. */
const builtIn: Readonly<Record<string, () => BanditTable>> = { [FLOWERS]: flowers };

/** The built-in table that a manifest names; null if it names files. */
export const builtInTable = ({ features, targets }: BanditEnvSpec): BanditTable | null =>
  (features === targets ? builtIn[features ?? ""]?.() : null) ?? null;

/** @throws SpecError naming the file's setting, the line and what was found there. */
export function parseTable(files: {
  readonly features: TableFile;
  readonly targets: TableFile;
}): BanditTable {
  const features = read("features", () => numbersIn(files.features));
  const targets = read("targets", () => classesIn(files.targets, features));
  const table = { features: features.rows, targets };
  environmentOfTable(table);
  return table;
}

/** @throws SpecError for rows of different lengths, or fewer than two classes. */
export function environmentOfTable({ features, targets }: BanditTable): BanditEnvironment {
  return read("features", () => new BanditEnvironment(features, targets));
}

/** What `of` returns. @throws SpecError with its error, for the setting `name`. */
function read<T>(name: "features" | "targets", of: () => T): T {
  try {
    return of();
  } catch (error) {
    throw refuse(name, error instanceof Error ? error.message : String(error));
  }
}

/** The table that a manifest names. @throws SpecError naming the file's setting, the line and what was found there. */
export async function readTable(section: BanditEnvSpec, store: FileStore): Promise<BanditTable> {
  const built = builtInTable(section);
  if (built) return built;
  const features = await fileOf(section, "features", store);
  return parseTable({ features, targets: await fileOf(section, "targets", store) });
}

/** An environment of the table that a manifest names. @throws The errors of `readTable`. */
export async function readBandit(section: BanditEnvSpec, store: FileStore): Promise<BanditEnvironment> {
  const environment = environmentOfTable(await readTable(section, store));
  sections.set(environment, { ...section, num_envs: 1 });
  return environment;
}

const refuse = (name: string, message: string): SpecError =>
  new SpecError(
    [{ code: "value", path: `environment.${name}`, segments: ["environment", name], message }],
    "manifest",
  );

async function fileOf(
  section: BanditEnvSpec,
  name: "features" | "targets",
  store: FileStore,
): Promise<TableFile> {
  const path = section[name];
  if (path === null) throw refuse(name, "is missing, allowed a CSV file");
  if (builtIn[path])
    throw refuse(name, `found "${path}", a built-in table; give the same name as both features and targets`);
  const kept = keepsDatasets(store) ? await keptFile(path, store) : null;
  if (kept !== null) return { name: path, text: kept };
  if (!(await store.exists(path))) throw refuse(name, `${path}: no such file; check the path`);
  return { name: path, text: new TextDecoder().decode(await store.read(path)) };
}

/**
 * The text of a kept table's file, whose path starts with the table's name; null for other paths.
 * @throws DatasetError for a table that is not kept.
 */
async function keptFile(path: string, store: FileStore): Promise<string | null> {
  const shelf = new KeptDatasets(store);
  const kept = await shelf.named(parentPath(path));
  return kept && shelf.text(kept, baseName(path));
}
