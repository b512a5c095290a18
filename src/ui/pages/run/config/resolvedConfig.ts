import {
  checkManifest,
  evolutionSections,
  manifestToObject,
  SpecError,
  type TrainingManifest,
} from "../../../../manifests/index.ts";
import { type Template, templates } from "../../../../manifests/templates.ts";
import { isMapping } from "../../../../specs/messages.ts";
import { plainText } from "../../../lib/format.ts";

/** Values of a manifest as text, by dotted path; a list is one value. */
type FlatManifest = ReadonlyMap<string, string>;

/** @param manifest as an object; null and undefined values are left out */
export function flatManifest(manifest: unknown): FlatManifest {
  const values = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (!isMapping(value)) values.set(path, plainText(value));
    else for (const [key, entry] of Object.entries(value)) walk(entry, path === "" ? key : `${path}.${key}`);
  };
  walk(manifest, "");
  return values;
}

/** Where a value comes from: the manifest, a default (also if the manifest states it), or `hpo`. */
export type Origin = "given" | "default" | "hpo";

export interface ConfigRow {
  /** Dotted path in the manifest. */
  readonly path: string;
  readonly value: string | null;
  readonly origin: Origin;
  /** The template's value at this path; null if it has none. */
  readonly template: string | null;
}

export interface ResolvedConfig {
  readonly rows: readonly ConfigRow[];
  /** The template for the same algorithm and environment; null if there is none. */
  readonly template: Pick<Template, "id" | "title"> | null;
}

/**
 * Fills in what training adds if `hpo` is on and the manifest leaves it open, the same values as in the run's
 * plan.
 */
function withHpo(manifest: TrainingManifest): TrainingManifest {
  if (!manifest.training.hpo) return manifest;
  const { final_episodes, learn_from, ...sections } = evolutionSections(manifest);
  return { ...manifest, ...sections, training: { ...manifest.training, final_episodes, learn_from } };
}

/** Keys that select a section's defaults. */
const CHOICES: readonly string[] = ["name", "env_type", "kind", "strategy"];

/**
 * The defaults of a manifest's sections, which a stored manifest has written out, without the keys that select them.
 * Empty if a section has other required keys.
 */
function defaultsOf(manifest: Readonly<Record<string, unknown>>): FlatManifest {
  const bare = Object.entries(manifest).flatMap(([key, section]) =>
    isMapping(section)
      ? [
          [
            key,
            Object.fromEntries(Object.entries(section).filter(([name]) => CHOICES.includes(name))),
          ] as const,
        ]
      : [],
  );
  const checked = checkManifest(Object.fromEntries(bare));
  if (!checked.success) return new Map();
  const defaults = new Map(flatManifest(manifestToObject(checked.manifest)));
  for (const path of flatManifest(Object.fromEntries(bare)).keys()) defaults.delete(path);
  return defaults;
}

/** The template with the same algorithm and environment. */
function templateOf({ algorithm, environment }: TrainingManifest): Template | null {
  const fits = ({ manifest }: Template): boolean =>
    manifest.algorithm.name === algorithm.name && manifest.environment.name === environment.name;
  return templates.find(fits) ?? null;
}

/**
 * All values that a run trains with, in the order of the manifest.
 *
 * @param manifest of the run, as an object of unknown shape
 * @throws SpecError if this build does not understand the manifest
 */
export function resolvedConfig(manifest: unknown): ResolvedConfig {
  const checked = checkManifest(manifest);
  if (!checked.success) throw new SpecError(checked.issues, "manifest");
  const whole = flatManifest(manifestToObject(withHpo(checked.manifest)));
  const stored = flatManifest(manifestToObject(checked.manifest));
  const defaults = isMapping(manifest) ? defaultsOf(manifest) : new Map<string, string>();
  const template = templateOf(checked.manifest);
  const check = template && checkManifest(template.manifest);
  const other = check?.success
    ? flatManifest(manifestToObject(withHpo(check.manifest)))
    : new Map<string, string>();
  const originOf = (path: string): Origin =>
    !stored.has(path) ? "hpo" : defaults.get(path) === stored.get(path) ? "default" : "given";
  return {
    rows: [...new Set([...whole.keys(), ...other.keys()])].map((path) => ({
      path,
      value: whole.get(path) ?? null,
      origin: originOf(path),
      template: other.get(path) ?? null,
    })),
    template,
  };
}
