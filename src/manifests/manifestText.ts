import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { limitIssues, parseSpec, SpecError, type SpecIssue } from "../specs/checks.ts";
import { octalWarnings, yamlNumbers } from "./manifestToYaml.ts";
import { checkManifest, type ManifestResult, type ParseManifestOptions } from "./parseManifestObject.ts";
import { expandStages, hasStages, type StageRun } from "./stages.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";
import { manifestFormat, oversizedText, syntaxMessage } from "./textLimits.ts";

interface ParsedText {
  document: Document.Parsed<ParsedNode>;
  lines: LineCounter;
}

/**
 * Parses YAML 1.2, so that `no` stays a string, `010` is ten and `1:30` is not a number. Numbers may contain
 * underscores as in YAML 1.1, since AgileRL's files use them. JSON is parsed as YAML.
 */
function parseText(text: string): ParsedText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    customTags: (tags) => [...yamlNumbers, ...tags],
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    // The parser compares every key with every other; see repeatedKeys.
    uniqueKeys: false,
  });
  return { document, lines };
}

const position = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
};

/**
 * Offset of the node at `segments`: that of its key if `atKey`, otherwise that of its value. If there is no
 * such node, the offset of the nearest enclosing one.
 */
function offsetOf(root: ParsedNode | null, segments: readonly (string | number)[], atKey: boolean): number {
  let node: unknown = root;
  let offset = root?.range[0] ?? 0;
  for (const [depth, segment] of segments.entries()) {
    const isLast = depth === segments.length - 1;
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String(isNode(item.key) ? item.key : item.key) === String(segment),
      );
      if (pair === undefined) return offset;
      const key = isNode(pair.key) ? pair.key.range?.[0] : undefined;
      next = pair.value;
      const value = isNode(next) ? next.range?.[0] : undefined;
      // A nested mapping starts at its first key, far from its own name: use its own key instead.
      const preferKey = (atKey && isLast) || isMap(next) || value === undefined;
      offset = (preferKey ? key : value) ?? offset;
    } else if (isSeq(node) && typeof segment === "number") {
      next = node.items[segment];
      offset = (isNode(next) ? next.range?.[0] : undefined) ?? offset;
    } else return offset;
    node = next;
  }
  return offset;
}

function located(issue: SpecIssue, { document, lines }: ParsedText): SpecIssue {
  const atKey = issue.code === "unknown_key" || issue.code === "missing";
  return { ...issue, ...position(lines, offsetOf(document.contents, issue.segments, atKey)) };
}

/** Issues with their places, in the order of the text. What stands for issues that are not listed stays last. */
const inLineOrder = (issues: readonly SpecIssue[], parsed: ParsedText): readonly SpecIssue[] =>
  issues
    .map((issue) => located(issue, parsed))
    .sort(
      (a, b) =>
        Number(a.more !== undefined) - Number(b.more !== undefined) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0),
    );

/** Offset of the first alias without an anchor. */
function danglingAlias(document: ParsedText["document"]): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      offset = alias.range?.[0];
      return visit.BREAK;
    },
  });
  return offset;
}

/** Offsets of keys that are repeated in their mapping, in the order of the text. */
function repeatedKeys(document: ParsedText["document"]): number[] {
  const offsets: number[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return offsets.sort((a, b) => a - b);
}

interface SyntaxError {
  readonly message: string;
  readonly at: number;
}

/**
 * Syntax errors of the text, with their offsets: the first that keeps it from being parsed, since most others follow
 * from it, or else all repeated keys.
 */
function syntaxErrors({ document }: ParsedText): SyntaxError[] {
  const [first] = document.errors
    .map(({ message, pos }) => ({ message, at: pos[0] }))
    .sort((a, b) => a.at - b.at);
  if (first !== undefined) return [first];
  return repeatedKeys(document).map((at) => ({ message: "Map keys must be unique", at }));
}

interface ReadText {
  readonly parsed: ParsedText;
  /** What the text says, as plain values. */
  readonly input: unknown;
}

/** Reads YAML or JSON; a list of issues for texts that cannot be read. @param name Of the text's file. */
function readText(text: string, name: string | undefined): ReadText | readonly SpecIssue[] {
  const oversized = oversizedText(text);
  if (oversized !== null) return [{ code: "syntax", path: "", segments: [], message: oversized }];
  const parsed = parseText(text);
  const format = manifestFormat(text, name);
  const issueAt = (message: string, at: number): SpecIssue => ({
    code: "syntax",
    path: "",
    segments: [],
    message: syntaxMessage(format, message),
    ...position(parsed.lines, at),
  });
  const errors = syntaxErrors(parsed);
  if (errors.length > 0) return limitIssues(errors.map(({ message, at }) => issueAt(message, at)));
  try {
    return { parsed, input: parsed.document.toJS() };
  } catch (error) {
    // An undefined alias, or one that expands without limit, is detected only here.
    const message = error instanceof Error ? error.message : String(error);
    return [issueAt(message, danglingAlias(parsed.document) ?? 0)];
  }
}

/**
 * Validates a manifest given as YAML or JSON text, without throwing; issues carry line and column. Texts with
 * more than 250,000 characters, 10,000 words and brackets, 100 levels of nesting or 100 anchors are rejected
 * without parsing.
 */
export function checkManifestText(text: string, options: ParseManifestOptions = {}): ManifestResult {
  const read = readText(text, options.name);
  if (!("parsed" in read)) return { success: false, issues: read, translated: [] };
  const { parsed, input } = read;
  const result = checkManifest(input, options);
  const octal = octalWarnings(parsed.document.contents);
  const translated = [...octal, ...result.translated];
  if (!result.success) return { ...result, translated, issues: inLineOrder(result.issues, parsed) };
  for (const warning of octal) options.onTranslated?.(warning);
  return { ...result, translated };
}

/**
 * The stages of a manifest's text, all checked; null if it has none.
 * @throws SpecError listing every problem.
 * @internal
 */
export const stagesInText = (
  text: string,
  name: string,
  options: ParseManifestOptions,
): readonly StageRun[] | null =>
  readSpecText(text, name, (raw) => (hasStages(raw) ? expandStages(raw, options) : null));

/**
 * Like {@link checkManifestText}, for a manifest that may have stages. All of them are checked; the result has the first.
 * @internal
 */
export function checkRunsText(text: string, options: ParseManifestOptions = {}): ManifestResult {
  try {
    const [first] = stagesInText(text, options.name ?? "manifest", options) ?? [];
    return first
      ? { success: true, manifest: first.manifest, translated: [] }
      : checkManifestText(text, options);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return { success: false, issues: error.issues, translated: [] };
  }
}

/**
 * Reads another document than a manifest, under the same limits.
 * @param read Validates the document, which may be any value.
 * @throws {@link SpecError} listing every problem with line and column.
 */
export function readSpecText<T>(text: string, name: string, read: (input: unknown) => T): T {
  const document = readText(text, name);
  if (!("parsed" in document)) throw new SpecError(document, name);
  try {
    return read(document.input);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new SpecError(inLineOrder(error.issues, document.parsed), name);
  }
}

/** As {@link readSpecText}, for a schema. */
export const parseSpecText = <S extends z.ZodType>(schema: S, text: string, name: string): z.output<S> =>
  readSpecText(text, name, (input) => parseSpec(schema, input));

/**
 * Validates a manifest given as YAML or JSON text and fills in its defaults.
 *
 * @throws {@link SpecError} listing every problem with line and column.
 */
export function parseManifestText(text: string, options: ParseManifestOptions = {}): TrainingManifest {
  const result = checkManifestText(text, options);
  if (!result.success) throw new SpecError(result.issues, "manifest");
  return result.manifest;
}
