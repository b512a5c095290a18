import { type ManifestFormat, manifestFormat } from "../../../specs/text.ts";
import { readManifest } from "./document/ManifestDocument.ts";
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
  const refuse = (reason: string): Error =>
    new Error(`${file.name} was not imported: ${reason}. A manifest is a text file in YAML or JSON.`);
  if (file.size > MAX_BYTES) throw refuse("it is larger than 1 MB");
  const text = await file.text();
  if (/[\0\uFFFD]/.test(text)) throw refuse("it is not a text file");
  const read = readManifest(text, file.name);
  if (!read.ok) throw refuse(`it is not a valid YAML or JSON manifest (line ${read.line}: ${read.message})`);
  if (Object.keys(read.manifest.values).length === 0) throw refuse("it is empty");
  const format = manifestFormat(text);
  loadText(text, "draft", format);
  return format;
}
