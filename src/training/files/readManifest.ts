/** Manifests from wherever callers have them. */
import { parse } from "yaml";
import { listEnvironments } from "../../rl/environments/index.ts";
import {
  type ManifestInput,
  type ParseManifestOptions,
  parseManifest,
  type TrainingManifest,
} from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import { warnOnce } from "../loop/warn.ts";
import { manifestAt } from "./manifestSource.ts";

export interface ReadManifest {
  readonly manifest: TrainingManifest;
  /** Whether it gives the population's size itself; a parsed manifest does. */
  readonly givesPopulation: boolean;
}

/** A `URL` of Node or a browser, by its shape: these types need the library of neither. */
export interface UrlObject {
  readonly href: string;
  readonly protocol: string;
  readonly pathname: string;
}

/** A manifest, or where it is. */
export type ManifestSource = ManifestInput | UrlObject;

const isUrl = (manifest: ManifestSource): manifest is UrlObject => manifest instanceof URL;

/**
 * @param manifest Path to a ".yaml", ".yml" or ".json" file, a URL of one ("file:" as the path, others are fetched), YAML
 *   or JSON text, an object, or a parsed manifest.
 * @param environments Names of environments that it may have; null for any. Those of this library unless given.
 * @throws SpecError listing every problem; StorageError when the file cannot be read, or is a directory.
 */
export async function readManifest(
  manifest: ManifestSource,
  store: FileStore | undefined,
  environments: readonly string[] | null = listEnvironments(),
): Promise<ReadManifest> {
  const options: ParseManifestOptions = {
    ...(environments && { environments }),
    onTranslated: ({ path, message }) => warnOnce(`${path} ${message}`),
  };
  if (typeof manifest !== "string" && !isUrl(manifest))
    return { manifest: parseManifest(manifest, options), givesPopulation: givesPopulation(manifest) };
  const place = typeof manifest === "string" ? manifest : new URL(manifest.href);
  const found = await manifestAt(place, store);
  const text = found?.text ?? String(place);
  const parsed = parseManifest(text, found === null ? options : { ...options, name: found.name });
  return { manifest: parsed, givesPopulation: givesPopulation(parse(text)) };
}

function givesPopulation(manifest: unknown): boolean {
  const sections: unknown = manifest;
  if (typeof sections !== "object" || sections === null || !("training" in sections)) return false;
  const { training } = sections;
  if (typeof training !== "object" || training === null) return false;
  return ["pop_size", "population_size"].some((key) => Object.hasOwn(training, key));
}
