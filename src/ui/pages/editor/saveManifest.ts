import { saveText } from "../../lib/saveFile.ts";
import type { ManifestFormat } from "../../routes/route.ts";
import { exportManifest } from "./exportManifest.ts";

const TYPES: Readonly<Record<ManifestFormat, string>> = {
  yaml: "application/yaml",
  json: "application/json",
};

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "") || "manifest";

/**
 * Downloads a manifest in a file named after its run.
 *
 * @returns warnings about parts that only rlkit understands
 * @throws SpecError listing every problem of an invalid manifest
 */
export function saveManifest(name: string, manifest: unknown, format: ManifestFormat): readonly string[] {
  const { text, warnings } = exportManifest(manifest, format);
  saveText(`${fileName(name)}.${format}`, TYPES[format], text);
  return warnings;
}
