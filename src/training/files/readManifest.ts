/** Reads manifests from any of their sources. */
import { parse } from "yaml";
import {
  type ManifestInput,
  type ParseManifestOptions,
  parseManifest,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import type { FileStore } from "../../storage/index.ts";
import { warnOnce } from "../../tracking/clients.ts";
import { manifestAt } from "./manifestSource.ts";

interface ReadManifest {
  readonly manifest: TrainingManifest;
  /** Whether the manifest itself gives the population size; a parsed manifest always does. */
  readonly givesPopulation: boolean;
}

/** Structural type of a `URL` of Node or a browser, so that these types need neither library. */
export interface UrlObject {
  readonly href: string;
  readonly protocol: string;
  readonly pathname: string;
}

/** A manifest, or its path or URL. */
export type ManifestSource = ManifestInput | UrlObject;

const isUrl = (manifest: ManifestSource): manifest is UrlObject => manifest instanceof URL;

/**
 * @param manifest Path to a ".yaml", ".yml" or ".json" file, a URL of one ("file:" URLs are read, others
 *   fetched), YAML or JSON text, an object, or a parsed manifest.
 * @param environments Names of allowed environments; `null` for any (default: the registered ones).
 * @throws SpecError listing every problem; StorageError when the file cannot be read or is a directory.
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
