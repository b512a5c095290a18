import { create } from "zustand";
import { manifestWarnings, type SpecIssue } from "../../../manifests/index.ts";
import { checkRunsText } from "../../../manifests/text.ts";
import { listEnvironments } from "../../../rl/environments.ts";
import { NO_ENVIRONMENT } from "../../../specs/sections.ts";
import { messageOf } from "../../lib/format.ts";
import type { ManifestFormat } from "../../routes/route.ts";
import { useKeptEnvironments } from "../../state/kept.ts";
import { editManifest, type FieldEdit } from "./document/editManifest.ts";
import { type ManifestDocument, type ManifestPath, readManifest } from "./document/ManifestDocument.ts";
import { convertManifest } from "./document/writeManifest.ts";

/** The source of the text. Opening the page for another source loads that source. */
export type ManifestSource = "draft" | "empty" | `template:${string}` | `run:${string}` | `spec:${string}`;

/** An error or a warning at a position in the text. */
export interface Remark {
  readonly level: "error" | "warning";
  /** Dotted path; "" for the whole text. */
  readonly path: string;
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/** The manifest being edited. The text is the source of truth; everything else derives from it. */
export interface EditorState {
  readonly source: ManifestSource | null;
  /** The text as loaded. */
  readonly original: string;
  readonly text: string;
  readonly format: ManifestFormat;
  /** The last text that could be parsed, which the form shows. */
  readonly shown: ManifestDocument;
  /** The line of the text's syntax error, which disables the form; null if there is none. */
  readonly brokenLine: number | null;
  readonly remarks: readonly Remark[];
  readonly valid: boolean;
}

/** Names of the environments to train in: built-in ones, and those stored in this browser. */
export const environmentNames = (): readonly string[] => [
  ...listEnvironments(),
  ...(useKeptEnvironments.getState().environments ?? []).map(({ id }) => id),
];

/** Names for the field: also that of none, where agents learn from data. */
export function environmentSuggestions(): readonly string[] {
  const { environment } = useEditor.getState().shown.values;
  const section: object = typeof environment === "object" && environment !== null ? environment : {};
  const isData = ["dataset_path", "hub_dataset_id"].some((key) => key in section);
  return [...(isData ? [NO_ENVIRONMENT] : []), ...environmentNames()];
}

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
  const result = checkRunsText(text, { environments: environmentNames() });
  if (!result.success) return { remarks: result.issues.map(remarkOf), valid: false };
  const remarks = [...result.translated, ...manifestWarnings(result.manifest)].map(
    ({ path, message }): Remark => ({ level: "warning", path, message, line: lineOf(text, path), column: 1 }),
  );
  return { remarks, valid: true };
}

/** The line of the last key of a path; 1 if it is not in the text. */
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

/** Sets the text that the user typed, and checks it. */
export function editText(text: string): void {
  if (text === useEditor.getState().text) return;
  const read = readManifest(text);
  useEditor.setState({
    text,
    ...check(text),
    ...(read.ok ? { shown: read.manifest, brokenLine: null } : { brokenLine: read.line }),
  });
}

/** Checks the text again, after the set of known environments has changed. */
export function recheckText(): void {
  const { text, source } = useEditor.getState();
  if (source !== null) useEditor.setState(check(text));
}

/** Adds issues found elsewhere, in the order of lines, unless the text has changed since. */
export function addIssues(text: string, issues: readonly SpecIssue[]): void {
  const { text: now, remarks } = useEditor.getState();
  if (now !== text) return;
  const errors = remarks.filter(({ level }) => level === "error");
  const known = new Set(errors.map(({ path }) => path));
  const added = issues.filter(({ path }) => !known.has(path)).map(remarkOf);
  if (added.length === 0) return;
  const ordered = [...errors, ...added].sort((a, b) => a.line - b.line || a.column - b.column);
  useEditor.setState({
    remarks: [...ordered, ...remarks.filter(({ level }) => level !== "error")],
    valid: false,
  });
}

/** Replaces the text with that of another manifest. */
export function loadText(text: string, source: ManifestSource, format: ManifestFormat): void {
  editText(text);
  useEditor.setState({ source, original: text, format });
}

/** Changes one value in the text, for a form field. Does nothing while the text has a syntax error. */
export function editField(path: ManifestPath, edit: FieldEdit): void {
  const { shown, brokenLine } = useEditor.getState();
  if (brokenLine === null) editText(editManifest(shown, path, edit));
}

/** Applies several edits in order. */
export function editFields(edits: readonly (readonly [ManifestPath, FieldEdit])[]): void {
  for (const [path, edit] of edits) editField(path, edit);
}

/**
 * Converts the text to another format.
 *
 * @throws Error if the text has a syntax error or cannot be converted
 */
export function changeFormat(format: ManifestFormat): void {
  const { shown, brokenLine, format: before } = useEditor.getState();
  if (format === before) return;
  if (brokenLine !== null) {
    throw new Error(
      `The text cannot be converted to ${format.toUpperCase()}: line ${brokenLine} has a syntax error. Fix it first.`,
    );
  }
  try {
    editText(convertManifest(shown, format));
  } catch (error) {
    throw new Error(`The text cannot be converted to ${format.toUpperCase()}: ${messageOf(error)}`);
  }
  useEditor.setState({ format });
}
