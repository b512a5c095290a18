import { Document, isMap, isScalar, isSeq, type Node, type Scalar, visit } from "yaml";
import type { ManifestFormat } from "../../../routes/route.ts";
import {
  type ManifestDocument,
  NODE_OPTIONS,
  numberOf,
  YAML_OPTIONS,
  YAML_STYLE,
} from "./ManifestDocument.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function scalarJson(node: Scalar): string {
  const { source, value } = node;
  const asWritten = typeof value === "number" && source !== undefined && JSON_NUMBER.test(source);
  return asWritten && numberOf(source) === value ? source : (JSON.stringify(value) ?? "null");
}

/** JSON of a node; numbers keep their notation if JSON allows it. */
function nodeJson(document: Document, node: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (isScalar(node)) return scalarJson(node);
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : String(key);
      return `${inner}${JSON.stringify(name)}: ${nodeJson(document, value, inner)}`;
    });
    return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n${indent}}`;
  }
  if (isSeq(node)) return `[${node.items.map((item) => nodeJson(document, item, inner)).join(", ")}]`;
  // Aliases are resolved and written out.
  const plain = node === null || node === undefined ? null : (node as Node).toJS(document);
  return JSON.stringify(plain) ?? "null";
}

/** The text of a document in a format. JSON has no comments, so they are lost. */
export function documentText(document: Document, format: ManifestFormat): string {
  if (format === "json") return `${nodeJson(document, document.contents, "")}\n`;
  return document.contents === null ? "" : document.toString(YAML_STYLE);
}

/** Writes lists of scalars on one line. */
function inlineLists(document: Document): void {
  visit(document, {
    Seq: (_, node) => {
      if (node.items.every((item) => isScalar(item))) node.flow = true;
    },
  });
}

/** Writes a manifest object as text. */
export function manifestText(object: unknown, format: ManifestFormat): string {
  const document = new Document(object, { ...YAML_OPTIONS, ...NODE_OPTIONS });
  inlineLists(document);
  return documentText(document, format);
}

/** Converts a manifest's text to a format. Comments are lost. */
export function convertManifest({ document, values }: ManifestDocument, format: ManifestFormat): string {
  return format === "json" ? documentText(document, "json") : manifestText(values, "yaml");
}
