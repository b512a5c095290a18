/** Reads a manifest with stages, from any of its sources. */
import {
  expandStages,
  hasStages,
  type ParseManifestOptions,
  type RawManifest,
  SpecError,
  type StageRun,
} from "../../manifests/index.ts";
import { readSpecText } from "../../manifests/text.ts";
import type { FileStore } from "../../storage/index.ts";
import { manifestAt } from "./manifestSource.ts";
import type { ManifestSource } from "./readManifest.ts";

function requireStages(raw: unknown): RawManifest {
  if (hasStages(raw)) return raw;
  const message = "missing; list the stages, or train the manifest as one run";
  throw new SpecError([{ code: "missing", path: "stages", segments: ["stages"], message }], "manifest");
}

/**
 * The stages of a manifest, all checked.
 * @throws SpecError listing every problem; StorageError when the file cannot be read or is a directory.
 */
export async function readStages(
  source: ManifestSource,
  store: FileStore | undefined,
  checks: ParseManifestOptions,
): Promise<readonly StageRun[]> {
  const read = (raw: unknown) => expandStages(requireStages(raw), checks);
  if (typeof source !== "string" && !(source instanceof URL)) return read(source);
  const found = await manifestAt(source, store);
  return readSpecText(found?.text ?? String(source), found?.name ?? "manifest", read);
}
