import { create } from "zustand";
import { listEnvironments } from "../../../rl/environments/registry.ts";
import { checkManifestText, manifestWarnings, type SpecIssue } from "../../../specs/index.ts";
import { messageOf } from "../../lib/messageOf.ts";
import type { ManifestFormat } from "../../routes/route.ts";
import { useKeptEnvironments } from "../../state/keptEnvironments.ts";
import { editManifest, type FieldEdit } from "./document/editManifest.ts";
import { type ManifestDocument, type ManifestPath, readManifest } from "./document/ManifestDocument.ts";
import { convertManifest } from "./document/writeManifest.ts";

/** Where the text came from; a page opened for another source loads that one. */
export type ManifestSource = "draft" | "empty" | `template:${string}` | `run:${string}` | `spec:${string}`;

/** A problem or a hint, at a place of the text. */
export interface Remark {
  readonly level: "error" | "warning";
  /** Dotted path; "" for the whole text. */
  readonly path: string;
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/** The manifest being edited. The text is the truth; all else follows from it. */
export interface EditorState {
  readonly source: ManifestSource | null;
  /** The text as it was loaded. */
  readonly original: string;
  readonly text: string;
  readonly format: ManifestFormat;
  /** The last text that could be read, which the form shows. */
  readonly shown: ManifestDocument;
  /** Why the form waits: the line where the text's syntax is broken; null while all is well. */
  readonly brokenLine: number | null;
  readonly remarks: readonly Remark[];
  readonly valid: boolean;
}

/** Names of environments that can be trained in: those there are, and those that this browser keeps. */
export const environmentNames = (): readonly string[] => [
  ...listEnvironments(),
  ...(useKeptEnvironments.getState().environments ?? []).map(({ id }) => id),
];

function remarkOf(issue: SpecIssue): Remark {
  return {
    level: "error",
    path: issue.path,
    message: issue.message,
    line: issue.line ?? 1,
    column: issue.column ?? 1,
  };
}

function check(text: string): Pick<EditorState, "remarks" | "valid"> {
  const result = checkManifestText(text, { environments: environmentNames() });
  if (!result.success) return { remarks: result.issues.map(remarkOf), valid: false };
  const remarks = [...result.translated, ...manifestWarnings(result.manifest)].map(
    ({ path, message }): Remark => ({ level: "warning", path, message, line: lineOf(text, path), column: 1 }),
  );
  return { remarks, valid: true };
}

/** The line of the last key of a path; 1 when it is not in the text. */
function lineOf(text: string, path: string): number {
  const key = path.split(".").at(-1) ?? "";
  const line = text.split("\n").findIndex((content) => content.trimStart().replace(/^"/, "").startsWith(key));
  return Math.max(0, line) + 1;
}

const EMPTY = readManifest("");
if (!EMPTY.ok) throw new Error("An empty text must be readable.");

export const useEditor = create<EditorState>(() => ({
  source: null,
  original: "",
  text: "",
  format: "yaml",
  shown: EMPTY.manifest,
  brokenLine: null,
  remarks: [],
  valid: false,
}));

/** Takes over a text that a person typed. */
export function editText(text: string): void {
  if (text === useEditor.getState().text) return;
  const read = readManifest(text);
  useEditor.setState({
    text,
    ...check(text),
    ...(read.ok ? { shown: read.manifest, brokenLine: null } : { brokenLine: read.line }),
  });
}

/** Checks the text again: what it may name has changed. */
export function recheckText(): void {
  const { text, source } = useEditor.getState();
  if (source !== null) useEditor.setState(check(text));
}

/** Takes over what else was found in a text, unless it has changed by now. */
export function addIssues(text: string, issues: readonly SpecIssue[]): void {
  const { text: now, valid, remarks } = useEditor.getState();
  if (issues.length === 0 || now !== text || !valid) return;
  useEditor.setState({ remarks: [...issues.map(remarkOf), ...remarks], valid: false });
}

/** Replaces the text by another manifest's. */
export function loadText(text: string, source: ManifestSource, format: ManifestFormat): void {
  editText(text);
  useEditor.setState({ source, original: text, format });
}

/** Changes one place of the text, as a form's field does. Refused while the text cannot be read. */
export function editField(path: ManifestPath, edit: FieldEdit): void {
  const { shown, brokenLine } = useEditor.getState();
  if (brokenLine === null) editText(editManifest(shown, path, edit));
}

/** Several changes at once. */
export function editFields(edits: readonly (readonly [ManifestPath, FieldEdit])[]): void {
  for (const [path, edit] of edits) editField(path, edit);
}

/**
 * Writes the text in another format.
 *
 * @throws Error while the text cannot be read
 */
export function changeFormat(format: ManifestFormat): void {
  const { shown, brokenLine, format: before } = useEditor.getState();
  if (format === before) return;
  if (brokenLine !== null) {
    throw new Error(
      `The text can be written as ${format.toUpperCase()} once line ${brokenLine} is repaired.`,
    );
  }
  try {
    editText(convertManifest(shown, format));
  } catch (error) {
    throw new Error(`The text cannot be written as ${format.toUpperCase()}: ${messageOf(error)}`);
  }
  useEditor.setState({ format });
}
