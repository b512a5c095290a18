/** Manifests from wherever callers have them. */
import { parse } from "yaml";
import { listEnvironments } from "../rl/environments/index.ts";
import {
  type ManifestInput,
  type ParseManifestOptions,
  parseManifest,
  type TrainingManifest,
} from "../specs/index.ts";
import type { FileStore } from "../storage/index.ts";
import { defaultStore } from "./defaultStore.ts";
import { warnOnce } from "./warn.ts";

const looksLikePath = (text: string): boolean => !text.includes("\n") && /\.(ya?ml|json)$/i.test(text.trim());

export interface ReadManifest {
  readonly manifest: TrainingManifest;
  /** Whether it gives the population's size itself; a parsed manifest does. */
  readonly givesPopulation: boolean;
}

/**
 * @param manifest Path to a ".yaml", ".yml" or ".json" file, YAML or JSON text, an object, or a parsed manifest.
 * @throws SpecError listing every problem; StorageError when the file cannot be read.
 */
export async function readManifest(
  manifest: ManifestInput,
  store: FileStore | undefined,
): Promise<ReadManifest> {
  const options: ParseManifestOptions = {
    environments: listEnvironments(),
    onTranslated: ({ path, message }) => warnOnce(`${path} ${message}`),
  };
  if (typeof manifest !== "string")
    return { manifest: parseManifest(manifest, options), givesPopulation: givesPopulation(manifest) };
  const path = looksLikePath(manifest) ? manifest.trim() : null;
  const text =
    path === null ? manifest : new TextDecoder().decode(await (store ?? (await defaultStore())).read(path));
  const parsed = parseManifest(text, path === null ? options : { ...options, name: path });
  return { manifest: parsed, givesPopulation: givesPopulation(parse(text)) };
}

function givesPopulation(manifest: unknown): boolean {
  const sections: unknown = manifest;
  if (typeof sections !== "object" || sections === null || !("training" in sections)) return false;
  const { training } = sections;
  if (typeof training !== "object" || training === null) return false;
  return ["pop_size", "population_size"].some((key) => Object.hasOwn(training, key));
}
