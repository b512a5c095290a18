import { exportWarnings, manifestToJson, manifestToYaml, parseManifest } from "../../../manifests/index.ts";
import { listOwnEnvironments } from "../../../rl/environments.ts";
import { fileName, saveText } from "../../lib/files.ts";
import type { ManifestFormat } from "../../routes/route.ts";

/** A manifest as text, with warnings about parts that only rlkit understands. */
interface ExportedManifest {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Writes a manifest, with all defaults, as text that both rlkit and the Python library with the same format
 * read.
 *
 * @param manifest text or object
 * @throws SpecError listing every problem of an invalid manifest; Error for neither text nor object
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

const TYPES: Readonly<Record<ManifestFormat, string>> = {
  yaml: "application/yaml",
  json: "application/json",
};

/**
 * Downloads a manifest in a file named after its run.
 *
 * @returns warnings about parts that only rlkit understands
 * @throws SpecError listing every problem of an invalid manifest
 */
export function saveManifest(name: string, manifest: unknown, format: ManifestFormat): readonly string[] {
  const { text, warnings } = exportManifest(manifest, format);
  saveText(`${fileName(name, "manifest")}.${format}`, TYPES[format], text);
  return warnings;
}
