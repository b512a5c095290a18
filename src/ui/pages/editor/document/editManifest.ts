import { isCollection, isMap, isScalar, isSeq, Scalar } from "yaml";
import { plainText } from "../../../lib/plainText.ts";
import { type ManifestDocument, type ManifestPath, readManifest } from "./ManifestDocument.ts";
import { NODE_OPTIONS, numberOf } from "./manifestYaml.ts";
import { documentText } from "./writeManifest.ts";

/** A number as a person wrote it, to be kept so; text that is no number stays text, for the check to name. */
function numberNode(text: string): Scalar {
  const value = numberOf(text);
  const node = new Scalar<unknown>(value ?? text);
  if (value !== undefined) node.source = text;
  return node;
}

/** What a form's field may write. */
export type FieldEdit =
  | { readonly kind: "value"; readonly value: unknown }
  /** A number in the person's own writing. */
  | { readonly kind: "number"; readonly text: string }
  /** Numbers between commas. */
  | { readonly kind: "numbers"; readonly text: string }
  | { readonly kind: "unset" };

/** The document again from its text, so that the one that is shown is never changed. */
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

/** Makes room for a nested key: what is no mapping on the way there (such as an empty section) gives way. */
function openPath(document: ManifestDocument["document"], path: ManifestPath): void {
  if (document.contents !== null && !isMap(document.contents)) document.contents = null;
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && !isCollection(document.getIn(above, true))) document.deleteIn(above);
  }
}

/** Drops mappings that an unset key leaves empty. Sections stay: an empty one may mean something of its own. */
function prune(document: ManifestDocument["document"], path: ManifestPath): void {
  for (let depth = path.length - 1; depth > 1; depth -= 1) {
    const above = path.slice(0, depth);
    const node = document.getIn(above, true);
    if (!isMap(node) || node.items.length > 0) return;
    document.deleteIn(above);
  }
}

/**
 * The manifest's text after an edit of one place. Comments, order and the writing of all other values stay.
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
      // The comment beside the value belongs to the place, not to the value.
      node.comment = before.comment;
      node.commentBefore = before.commentBefore;
    }
    document.setIn(path, node);
  }
  return documentText(document, manifest.format);
}

/** A place's value as a field shows it: numbers as they are written, lists with commas; "" when unset. */
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
