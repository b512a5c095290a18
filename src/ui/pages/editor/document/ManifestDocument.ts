import { type Document, isMap, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { type ManifestFormat, manifestFormat, syntaxMessage } from "../../../../specs/text.ts";
import { YAML_OPTIONS } from "./manifestYaml.ts";

/** The path of a value in a manifest. */
export type ManifestPath = readonly (string | number)[];

/** A parsed manifest text. */
export interface ManifestDocument {
  readonly text: string;
  readonly format: ManifestFormat;
  readonly document: Document.Parsed<ParsedNode>;
  /** The text's content, not validated. */
  readonly values: Readonly<Record<string, unknown>>;
}

export type ReadManifest =
  | { readonly ok: true; readonly manifest: ManifestDocument }
  | { readonly ok: false; readonly message: string; readonly line: number };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function values(document: Document.Parsed<ParsedNode>): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases that refer to themselves or expand without bound; the check of the specs reports them.
    return undefined;
  }
}

/**
 * Parses a manifest's text, checking only its syntax. An empty text is an empty manifest.
 * @param name the file's name, if the text comes from a file
 */
export function readManifest(text: string, name?: string): ReadManifest {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter });
  const [error] = document.errors;
  if (error !== undefined) {
    const message = syntaxMessage(manifestFormat(text, name), error.message);
    return { ok: false, message, line: lineCounter.linePos(error.pos[0]).line };
  }
  const content = document.contents === null ? {} : values(document);
  if (!isRecord(content) || (document.contents !== null && !isMap(document.contents))) {
    const message = "a manifest is a mapping with sections such as algorithm and environment";
    return { ok: false, message, line: 1 };
  }
  return { ok: true, manifest: { text, format: manifestFormat(text), document, values: content } };
}
