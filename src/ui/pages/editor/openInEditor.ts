import { type ManifestFormat, manifestFormat } from "../../../manifests/text.ts";
import { unreadableManifest } from "./document/ManifestDocument.ts";
import { manifestText } from "./document/writeManifest.ts";
import { loadText } from "./editorStore.ts";

/** Larger files are not taken for manifests. */
const MAX_BYTES = 1_000_000;

/**
 * Opens a file in the editor, which shows errors within the manifest at their lines.
 *
 * @returns the format of its text
 * @throws Error for a file that is not a manifest; the editor then keeps its text
 */
export async function importManifest(file: File): Promise<ManifestFormat> {
  const text = file.size > MAX_BYTES ? null : await file.text();
  const reason = text === null ? "it is larger than 1 MB" : unreadableManifest(text, file.name);
  if (text === null || reason !== null)
    throw new Error(`${file.name} was not imported: ${reason}. A manifest is a text file in YAML or JSON.`);
  return openText(text);
}

/** Opens a manifest's text in the editor, as a draft. @returns its format */
export function openText(text: string): ManifestFormat {
  const format = manifestFormat(text);
  loadText(text, "draft", format);
  return format;
}

/** Opens a manifest object in the editor, as a draft. */
export const openDraft = (manifest: object): void =>
  loadText(manifestText(manifest, "yaml"), "draft", "yaml");
