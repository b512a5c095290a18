/** Reads manifests from any of their sources. */
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
 * @param options `hpo`: replaces training.hpo.
 * @throws SpecError listing every problem; StorageError when the file cannot be read or is a directory.
 */
export async function readManifest(
  manifest: ManifestSource,
  store: FileStore | undefined,
  environments: readonly string[] | null = listEnvironments(),
  { hpo }: Pick<ParseManifestOptions, "hpo"> = {},
): Promise<TrainingManifest> {
  const options: ParseManifestOptions = {
    ...(environments && { environments }),
    hpo,
    onTranslated: ({ path, message }) => warnOnce(`${path} ${message}`),
  };
  if (typeof manifest !== "string" && !isUrl(manifest)) return parseManifest(manifest, options);
  const place = typeof manifest === "string" ? manifest : new URL(manifest.href);
  const found = await manifestAt(place, store);
  const text = found?.text ?? String(place);
  return parseManifest(text, found === null ? options : { ...options, name: found.name });
}
