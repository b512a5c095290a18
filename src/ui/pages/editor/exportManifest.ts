import { listOwnEnvironments } from "../../../rl/environments/index.ts";
import { exportWarnings, manifestToJson, manifestToYaml, parseManifest } from "../../../specs/index.ts";
import type { ManifestFormat } from "../../routes/route.ts";

/** A manifest as text, and what in it only this library understands. */
export interface ExportedManifest {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * A manifest as text that this library and its Python relative read alike, defaults written out.
 *
 * @param manifest text or object
 * @throws SpecError listing every problem of an invalid manifest
 */
export function exportManifest(manifest: unknown, format: ManifestFormat): ExportedManifest {
  const isInput = typeof manifest === "string" || (typeof manifest === "object" && manifest !== null);
  if (!isInput) throw new Error("There is no manifest to export.");
  // An object of any shape is allowed; the parser names what is wrong with it.
  const parsed = parseManifest(typeof manifest === "string" ? manifest : { ...manifest });
  return {
    text: format === "json" ? manifestToJson(parsed) : manifestToYaml(parsed),
    warnings: exportWarnings(parsed, listOwnEnvironments()).map(({ path, message }) => `${path} ${message}`),
  };
}
