/** Compares what a run needs with limits, and finds the settings that exceed them. */
import { machineMemory, megabytes, memoryNeed } from "../../kernels/machineMemory.ts";
import {
  algorithmDefinition,
  dottedPath,
  type SpecIssue,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { isMapping } from "../../specs/messages.ts";

/** WebAssembly addresses have 32 bits; kernels use signed byte offsets within an array. */
const THREAD_BYTES = 2 ** 32;
const ARRAY_BYTES = 2 ** 31;
const SECONDS = 3_600;

/** What a run needs, and the most that there is. */
export interface Limit {
  readonly needs: number;
  readonly most: number;
  /** The limit in words, such as "needs about ...". */
  readonly words: string;
}

/** Place of a setting in a manifest. */
export type Path = readonly (string | number)[];

/** What a kind of run needs. */
interface Needs {
  /** Limits, of which the first exceeded one is reported. @throws Error if settings do not fit together. */
  readonly limitsOf: (manifest: TrainingManifest) => readonly Limit[];
  /** Paths and values of the numbers that determine sizes. */
  readonly sizesOf: (manifest: TrainingManifest) => readonly (readonly [Path, number])[];
}

const time = (seconds: number): string => {
  const [size, unit] = seconds < 1e4 ? [1, "seconds"] : seconds < 2e5 ? [3_600, "hours"] : [86_400, "days"];
  return `${Math.ceil(seconds / size)} ${unit}`;
};

const inWasm = (needs: number, most: number, where: string): Limit => ({
  needs,
  most,
  words: `needs about ${megabytes(needs)} ${where}, WebAssembly has ${megabytes(most)}`,
});

/** Limit of a thread's memory. */
export const inThread = (bytes: number): Limit => inWasm(bytes, THREAD_BYTES, "in one thread");

/** Limit of the largest array. */
export const inArray = (bytes: number): Limit => inWasm(bytes, ARRAY_BYTES, "for one array");

/** Limit of the machine's memory. */
export const inMemory = (bytes: number): Limit => ({
  needs: bytes,
  most: machineMemory().bytes,
  words: memoryNeed(bytes),
});

/** Limit of the time for a part of a run. */
export const inTime = (seconds: number, what: string): Limit => ({
  needs: seconds,
  most: SECONDS,
  words: `needs at least ${time(seconds)} ${what}, allowed: at most ${SECONDS} seconds`,
});

/** Largest ratio of need to limit; more than 1 if a limit is exceeded. */
const excess = (limits: readonly Limit[]): number =>
  Math.max(
    ...limits.map(({ needs, most }) => (Number.isNaN(needs) ? Number.POSITIVE_INFINITY : needs / most)),
  );

function withNumber(value: unknown, [key, ...rest]: Path, number: number): unknown {
  if (key === undefined) return number;
  if (Array.isArray(value))
    return value.map((entry, i) => (i === key ? withNumber(entry, rest, number) : entry));
  if (!isMapping(value)) return value;
  return { ...value, [key]: withNumber(value[key], rest, number) };
}

/** The manifest with another number at a path, and in the algorithm's field if that duplicates it. */
function changed(manifest: TrainingManifest, path: Path, number: number): TrainingManifest {
  const { num_envs_field } = algorithmDefinition(manifest.algorithm.name);
  const shared = num_envs_field !== null && dottedPath(path) === "environment.num_envs";
  const first = shared ? withNumber(manifest, ["algorithm", num_envs_field], number) : manifest;
  // The type is unchanged, because a number replaces a number.
  return withNumber(first, path, number) as TrainingManifest;
}

/** Issues for the settings that cause the needs of a run to exceed a limit, worst first. */
export function excessIssues(manifest: TrainingManifest, needs: Needs): SpecIssue[] {
  const issues: SpecIssue[] = [];
  let rest = manifest;
  while (issues.length < 4) {
    // The first of the exceeded limits; bytes come before seconds.
    const limit = needs.limitsOf(rest).find((each) => excess([each]) > 1);
    if (!limit) break;
    const blamed = worstOf(rest, needs);
    if (blamed === null) {
      // Caused by the environment itself, not by numbers in the manifest.
      issues.push({ code: "range", path: "environment", segments: ["environment"], message: limit.words });
      break;
    }
    const [segments, value] = blamed;
    issues.push(issueOf(rest, needs, segments, value, limit));
    rest = changed(rest, segments, 1);
  }
  return issues;
}

/** The excess with another number at a path; infinite if the settings would no longer fit together. */
function excessWith(manifest: TrainingManifest, path: Path, number: number, { limitsOf }: Needs): number {
  try {
    return excess(limitsOf(changed(manifest, path, number)));
  } catch {
    // Other settings depend on the original number.
    return Number.POSITIVE_INFINITY;
  }
}

/** The number whose replacement by 1 reduces the excess most. */
function worstOf(manifest: TrainingManifest, needs: Needs): readonly [Path, number] | null {
  let worst: readonly [Path, number] | null = null;
  let least = excess(needs.limitsOf(manifest));
  for (const [path, value] of needs.sizesOf(manifest)) {
    if (value <= 1) continue;
    const left = excessWith(manifest, path, 1, needs);
    if (left >= least) continue;
    [worst, least] = [[path, value], left];
  }
  return worst;
}

function issueOf(
  manifest: TrainingManifest,
  needs: Needs,
  path: Path,
  value: number,
  limit: Limit,
): SpecIssue {
  const segments = [...path];
  const allowed = largestFitting((number) => excessWith(manifest, path, number, needs) <= 1, value);
  const advice =
    allowed === null
      ? "make it much smaller"
      : `with the other settings as they are, at most ${allowed} fits`;
  return {
    code: "range",
    path: dottedPath(segments),
    segments,
    message: `found ${value}; ${limit.words}; ${advice}`,
    found: value,
    ...(allowed === null ? {} : { allowed: `at most ${allowed}` }),
  };
}

/** The largest integer below `above` that fits; null if 1 does not. Assumes that larger numbers need more. */
function largestFitting(fits: (number: number) => boolean, above: number): number | null {
  if (!fits(1)) return null;
  let [low, high] = [1, Math.min(above, Number.MAX_SAFE_INTEGER)];
  while (high - low > 1) {
    const middle = Math.floor(low + (high - low) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
