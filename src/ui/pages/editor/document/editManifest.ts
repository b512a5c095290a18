import { isCollection, isMap, isScalar, isSeq, Scalar } from "yaml";
import { plainText } from "../../../lib/format.ts";
import {
  type ManifestDocument,
  type ManifestPath,
  NODE_OPTIONS,
  numberOf,
  readManifest,
} from "./ManifestDocument.ts";
import { documentText } from "./writeManifest.ts";

/**
 * A number that keeps the user's notation. Text that is not a number stays text, so that the check reports
 * it.
 */
function numberNode(text: string): Scalar {
  const value = numberOf(text);
  const node = new Scalar<unknown>(value ?? text);
  if (value !== undefined) node.source = text;
  return node;
}

/** An edit that a form field may make. */
export type FieldEdit =
  | { readonly kind: "value"; readonly value: unknown }
  /** A number in the user's notation. */
  | { readonly kind: "number"; readonly text: string }
  /** Numbers separated by commas. */
  | { readonly kind: "numbers"; readonly text: string }
  | { readonly kind: "unset" };

/** Parses the document's text again, so that the shown document is never changed. */
function copyOf({ text }: ManifestDocument): ManifestDocument {
  const read = readManifest(text);
  if (!read.ok) throw new Error(`The manifest's text cannot be read: ${read.message}`);
  return read.manifest;
}

function nodeOf(
  document: ManifestDocument["document"],
  edit: Exclude<FieldEdit, { kind: "unset" }>,
): unknown {
  switch (edit.kind) {
    case "value":
      return document.createNode(edit.value, NODE_OPTIONS);
    case "number":
      return numberNode(edit.text);
    case "numbers": {
      const list = document.createNode<unknown[]>([]);
      list.items = edit.text.split(",").map((part) => numberNode(part.trim()));
      list.flow = true;
      return list;
    }
  }
}

/**
 * Makes room for a nested key by removing values on its path that are not collections, such as an empty
 * section.
 */
function openPath(document: ManifestDocument["document"], path: ManifestPath): void {
  if (document.contents !== null && !isMap(document.contents)) document.contents = null;
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && !isCollection(document.getIn(above, true))) document.deleteIn(above);
  }
}

/**
 * Removes mappings left empty by an unset key. Top-level sections stay, because an empty section may have a
 * meaning.
 */
function prune(document: ManifestDocument["document"], path: ManifestPath): void {
  for (let depth = path.length - 1; depth > 1; depth -= 1) {
    const above = path.slice(0, depth);
    const node = document.getIn(above, true);
    if (!isMap(node) || node.items.length > 0) return;
    document.deleteIn(above);
  }
}

/**
 * The manifest's text after an edit of one value. Comments, order and the notation of all other values stay.
 *
 * @throws Error when the document's own text cannot be read
 */
export function editManifest(manifest: ManifestDocument, path: ManifestPath, edit: FieldEdit): string {
  const { document } = copyOf(manifest);
  if (edit.kind === "unset") {
    if (document.hasIn(path)) document.deleteIn(path);
    prune(document, path);
  } else {
    openPath(document, path);
    const node = nodeOf(document, edit);
    const before = document.getIn(path, true);
    if (isScalar(before) && isScalar(node)) {
      // The comment beside the value belongs to the key, not to the value.
      node.comment = before.comment;
      node.commentBefore = before.commentBefore;
    }
    document.setIn(path, node);
  }
  return documentText(document, manifest.format);
}

/** The text that a field shows for a value: numbers as written, lists separated by commas; "" if unset. */
export function fieldText({ document }: ManifestDocument, path: ManifestPath): string {
  const node = document.getIn(path, true);
  if (isSeq(node)) return node.items.map(scalarText).join(", ");
  return scalarText(node);
}

function scalarText(node: unknown): string {
  if (!isScalar(node)) return node === undefined || node === null ? "" : "…";
  const { value, source } = node;
  if (value === null || value === undefined) return "";
  return typeof value === "number" && source !== undefined ? source : plainText(value);
}
