/**
 * Manifests from objects. Values are nested to a limit only: code that walks deeper ones could exhaust the stack.
 */
import {
  checkSpec,
  dottedPath,
  isPlain,
  isSetElsewhere,
  limitIssues,
  SpecError,
  type SpecIssue,
} from "../specs/checks.ts";
import { environmentId, explainName, isMapping } from "../specs/messages.ts";
import { isUserEnvironment, NO_ENVIRONMENT } from "../specs/sections.ts";
import { hiddenIssues, type Mended, mended } from "./hiddenIssues.ts";
import type { ManifestWarning } from "./manifestWarnings.ts";
import { canonicalName, findAlgorithm } from "./names.ts";
import { sectionOfKey, translateOldKeys } from "./oldKeys.ts";
import { manifestSchema, type TrainingManifest } from "./TrainingManifest.ts";

/** Maximum number of values open at once. */
export const MOST_NESTED = 100;

/** What is wrong with values nested too deeply. */
export const TOO_DEEP = `found values nested more than ${MOST_NESTED} levels deep; a manifest may have at most ${MOST_NESTED}`;

/** What is wrong with stages where one run is expected. */
const STAGES: SpecIssue = {
  code: "rule",
  path: "stages",
  segments: ["stages"],
  message:
    "each stage is a run, and one run is expected here; train them with rlkit train or trainStages, or leave the key out",
};

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && (Array.isArray(value) || isPlain(value));

/** The issue of an object that is nested too deeply or contains itself; null for other values. */
function nestingIssue(input: unknown): SpecIssue | null {
  const open = [{ value: input, depth: 1, path: [] as readonly string[] }];
  /** The greatest depth at which each object was found, so that shared objects are not walked again and again. */
  const walked = new Map<object, number>();
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth, path } = next;
    if (!isNested(value) || (walked.get(value) ?? 0) >= depth) continue;
    if (depth > MOST_NESTED) {
      const message = walked.has(value) ? `${TOO_DEEP}; does a value contain itself?` : TOO_DEEP;
      return { code: "rule", path: dottedPath(path), segments: [...path], message };
    }
    walked.set(value, depth);
    for (const [key, entry] of Object.entries(value))
      open.push({ value: entry, depth: depth + 1, path: path.length < 2 ? [...path, key] : path });
  }
  return null;
}

/** Information that the caller has but the specs do not. */
export interface ParseManifestOptions {
  /** Names of the available environments; others need an entrypoint or a path. Default: any name. */
  environments?: readonly string[];
  /** Name of the text's file. If it ends in .json, syntax errors refer to JSON. Default: none. */
  name?: string;
  /** Replaces training.hpo, before defaults that depend on it. Default: as given. */
  hpo?: boolean | "search" | undefined;
  /** Additional checks for a manifest with valid fields, or whose other problems are mended. Default: none. */
  alsoCheck?: (manifest: TrainingManifest) => readonly SpecIssue[];
  /**
   * Called for each key of AgileRL's 2.x releases that was translated, and for each number in a
   * text that readers of YAML 1.1 take for another one.
   */
  onTranslated?: (warning: ManifestWarning) => void;
}

/** The outcome of {@link checkManifest}. */
export type ManifestResult =
  | {
      success: true;
      manifest: TrainingManifest;
      /** The warnings that `onTranslated` is called with. */
      translated: readonly ManifestWarning[];
    }
  | {
      success: false;
      issues: readonly SpecIssue[];
      /** As for a valid manifest; empty for text that could not be parsed. */
      translated: readonly ManifestWarning[];
    };

/** For an unknown key, names the section that has it, unless the issue already says what to do. */
function withSection(issue: SpecIssue, { algorithm }: Record<string, unknown>): SpecIssue {
  const key = issue.segments.at(-1);
  if (issue.code !== "unknown_key" || issue.suggestion !== undefined || typeof key !== "string") return issue;
  if (issue.segments.length > 2 || isSetElsewhere(key)) return issue;
  const section = sectionOfKey(key, isMapping(algorithm) ? algorithm.name : algorithm);
  if (section === undefined || section === issue.segments[0]) return issue;
  const suggestion = `${section}.${key}`;
  return { ...issue, suggestion, message: `unknown key "${key}" here; it belongs to ${section}` };
}

type Mapping = Readonly<Record<string, unknown>>;

/** The issue of an unknown environment, also if other fields are not valid. */
function environmentIssues(
  { algorithm, environment }: Mapping,
  environments: readonly string[],
): readonly SpecIssue[] {
  if (!isMapping(environment)) return [];
  const definition = findAlgorithm(canonicalName(isMapping(algorithm) ? algorithm.name : undefined));
  // Algorithms that do not run yet have their own environments; `manifestWarnings` reports the rest.
  if (definition?.runs === false) return [];
  const { name, env_type = definition?.env_types[0] ?? "gym", custom, entrypoint, path } = environment;
  if (typeof name !== "string" || (env_type !== "gym" && env_type !== "offline")) return [];
  // Whether agents need one is checked with the rest.
  if (name === NO_ENVIRONMENT) return [];
  // Only the caller knows about users' modules; `alsoCheck` checks them.
  if (custom === true || (entrypoint ?? path ?? null) !== null || isUserEnvironment(name)) return [];
  if (environments.includes(name) || environments.includes(environmentId(name))) return [];
  const segments = ["environment", "name"];
  const problem = explainName("environment", name, environments, []);
  // Without an algorithm, only a near name tells that it is not one of a bandit's tables or the like.
  if (definition === undefined && problem.suggestion === undefined) return [];
  return [{ ...problem, path: "environment.name", segments }];
}

/** How often a manifest is checked with the problems mended that were found before. */
const MOST_CHECKS = 4;

/** All issues of a manifest: those of its check, and those that they hide. */
function issuesOf(
  manifest: Mapping,
  first: readonly SpecIssue[],
): { readonly issues: readonly SpecIssue[]; readonly mended: Mended } {
  let known = first;
  let hidden = first;
  let state: Mended = { manifest, left: [] };
  for (let check = 0; check < MOST_CHECKS && hidden.length > 0; check += 1) {
    const next = mended(state.manifest, hidden);
    state = { manifest: next.manifest, left: [...state.left, ...next.left] };
    const result = checkSpec(manifestSchema(state.manifest.algorithm), state.manifest);
    hidden = result.success ? [] : hiddenIssues(result.issues, known, state.left);
    known = [...known, ...hidden];
  }
  return { issues: known, mended: state };
}

/** What `alsoCheck` says of a faulty manifest once its problems are mended, if it can be read then. */
function moreIssues(
  state: Mended,
  known: readonly SpecIssue[],
  alsoCheck: NonNullable<ParseManifestOptions["alsoCheck"]>,
): readonly SpecIssue[] {
  let { manifest, left } = state;
  for (let check = 0; check < MOST_CHECKS; check += 1) {
    const result = checkSpec(manifestSchema(manifest.algorithm), manifest);
    if (result.success) return hiddenIssues(alsoCheck(result.data), known, left);
    // Also those that are not told, such as of the value of a field whose name was mended.
    const next = mended(manifest, result.issues);
    manifest = next.manifest;
    left = [...left, ...next.left];
  }
  return [];
}

/** Validates a manifest given as an object, without throwing; the object itself is not changed. */
export function checkManifest(input: unknown, options: ParseManifestOptions = {}): ManifestResult {
  if (!isMapping(input)) {
    const found =
      input === null || input === undefined ? "nothing" : Array.isArray(input) ? "a list" : typeof input;
    const message = `expected a mapping with the sections algorithm and environment, found ${found}`;
    return { success: false, issues: [{ code: "type", path: "", segments: [], message }], translated: [] };
  }
  const problem = Object.hasOwn(input, "stages") ? STAGES : nestingIssue(input);
  if (problem !== null) return { success: false, issues: [problem], translated: [] };
  const { manifest: read, warnings: translated } = translateOldKeys(input);
  const { training = {} } = read;
  const isReplaced = options.hpo !== undefined && isMapping(training);
  const manifest = isReplaced ? { ...read, training: { ...training, hpo: options.hpo } } : read;
  const result = checkSpec(manifestSchema(manifest.algorithm), manifest);
  const found = result.success
    ? { issues: [], mended: { manifest, left: [] } }
    : issuesOf(manifest, result.issues);
  const { environments, alsoCheck } = options;
  const unknown = environments === undefined ? [] : environmentIssues(found.mended.manifest, environments);
  const named = [
    ...found.issues.map((issue) => withSection(issue, found.mended.manifest)),
    ...hiddenIssues(unknown, found.issues, []),
  ];
  if (!result.success || named.length > 0) {
    const next = mended(found.mended.manifest, unknown);
    const whole = { manifest: next.manifest, left: [...found.mended.left, ...next.left] };
    const more = alsoCheck ? moreIssues(whole, named, alsoCheck) : [];
    return { success: false, issues: limitIssues([...named, ...more]), translated };
  }
  const issues = alsoCheck?.(result.data) ?? [];
  if (issues.length > 0) return { success: false, issues: limitIssues(issues), translated };
  for (const warning of translated) options.onTranslated?.(warning);
  return { success: true, manifest: result.data, translated };
}

/**
 * Validates a manifest given as an object and fills in its defaults. Does not depend on the YAML parser, so
 * that a page can load it first.
 *
 * @throws {@link SpecError} listing every problem.
 */
export function parseManifestObject(input: unknown, options: ParseManifestOptions = {}): TrainingManifest {
  const result = checkManifest(input, options);
  if (!result.success) throw new SpecError(result.issues, "manifest");
  return result.manifest;
}
