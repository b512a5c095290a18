/** Finds settings that require more resources than any machine has. */

import { MOST_DRAWS } from "../../evolution/TournamentSelection.ts";
import { machineMemory, megabytes, memoryNeed } from "../../kernels/machineMemory.ts";
import { algorithmDefinition, dottedPath, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { isMapping } from "../../specs/isMapping.ts";
import { LARGEST_COUNT } from "../../specs/largest.ts";
import { estimateRun, type LivePlace, numbersOf, type RunEstimate } from "./estimateRun.ts";

/** WebAssembly addresses have 32 bits; kernels use signed byte offsets within an array. */
const THREAD_BYTES = 2 ** 32;
const ARRAY_BYTES = 2 ** 31;
const SECONDS = 3_600;

const time = (seconds: number): string => {
  const [size, unit] = seconds < 1e4 ? [1, "seconds"] : seconds < 2e5 ? [3_600, "hours"] : [86_400, "days"];
  return `${Math.ceil(seconds / size)} ${unit}`;
};

interface Limit {
  readonly needs: number;
  readonly most: number;
  /** The limit in words, such as "needs about ...". */
  readonly words: string;
}

function limitsOf(estimate: RunEstimate): Limit[] {
  const inWasm = (needs: number, most: number, where: string): Limit => ({
    needs,
    most,
    words: `needs about ${megabytes(needs)} ${where}, WebAssembly has ${megabytes(most)}`,
  });
  const inTime = (seconds: number, what: string): Limit => ({
    needs: seconds,
    most: SECONDS,
    words: `needs at least ${time(seconds)} ${what}, allowed: at most ${SECONDS} seconds`,
  });
  const { total_bytes, thread_bytes, array_bytes, setup_seconds, step_seconds } = estimate;
  const { selection_draws, episode_steps } = estimate;
  return [
    inWasm(thread_bytes, THREAD_BYTES, "in one thread"),
    inWasm(array_bytes, ARRAY_BYTES, "for one array"),
    { needs: total_bytes, most: machineMemory().bytes, words: memoryNeed(total_bytes) },
    inTime(setup_seconds, "to draw the initial weights"),
    inTime(step_seconds, "between two points at which it can be stopped"),
    {
      needs: selection_draws,
      most: MOST_DRAWS,
      words: `needs ${selection_draws} draws for each generation's selection (pop_size x tournament_size), allowed: at most ${MOST_DRAWS}`,
    },
    {
      needs: episode_steps,
      most: LARGEST_COUNT,
      words: `needs ${episode_steps} steps for an episode, allowed: at most ${LARGEST_COUNT}`,
    },
  ];
}

/** Largest ratio of need to limit; more than 1 if a limit is exceeded. */
const excess = (limits: readonly Limit[]): number =>
  Math.max(
    ...limits.map(({ needs, most }) => (Number.isNaN(needs) ? Number.POSITIVE_INFINITY : needs / most)),
  );

type Path = readonly (string | number)[];

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

/** Paths and values of the numbers that determine sizes. */
function sizesOf(manifest: TrainingManifest): [Path, number][] {
  const { algorithm, environment, training, network, mutation, replay_buffer, selection_strategy } = manifest;
  const { num_envs_field } = algorithmDefinition(algorithm.name);
  const { env_config } = environment as { readonly env_config?: unknown };
  const found = numbersOf({
    environment: { num_envs: environment.num_envs, env_config },
    replay_buffer: replay_buffer?.kind === "classic" ? { max_size: replay_buffer.max_size } : null,
    network,
    mutation: network === null ? { network: mutation?.network } : null,
    algorithm: num_envs_field === null ? algorithm : { ...algorithm, [num_envs_field]: null },
    training: { pop_size: training.pop_size },
    selection_strategy:
      selection_strategy?.strategy === "tournament"
        ? { tournament_size: selection_strategy.tournament_size }
        : null,
  });
  return found.filter(([, value]) => value > 1);
}

/** Issues for the settings that cause an estimate to exceed a limit, worst first. */
export function sizeIssues(manifest: TrainingManifest, live: LivePlace | null = null): SpecIssue[] {
  const issues: SpecIssue[] = [];
  let rest = manifest;
  while (issues.length < 4) {
    const limits = limitsOf(estimateRun(rest, live));
    // The first of the exceeded limits; bytes come before seconds.
    const limit = limits.find((each) => excess([each]) > 1);
    if (!limit) break;
    const blamed = worstOf(rest, live);
    if (blamed === null) {
      // Caused by the environment itself, not by numbers in the manifest.
      issues.push({ code: "range", path: "environment", segments: ["environment"], message: limit.words });
      break;
    }
    const [segments, value] = blamed;
    issues.push(issueOf(rest, live, segments, value, limit));
    rest = changed(rest, segments, 1);
  }
  return issues;
}

/** The excess with another number at a path; infinite if the networks would no longer fit together. */
function excessWith(manifest: TrainingManifest, path: Path, number: number, live: LivePlace | null): number {
  try {
    return excess(limitsOf(estimateRun(changed(manifest, path, number), live)));
  } catch {
    // Other settings depend on the original number.
    return Number.POSITIVE_INFINITY;
  }
}

/** The number whose replacement by 1 reduces the excess most. */
function worstOf(manifest: TrainingManifest, live: LivePlace | null): [Path, number] | null {
  let worst: [Path, number] | null = null;
  let least = excess(limitsOf(estimateRun(manifest, live)));
  for (const [path, value] of sizesOf(manifest)) {
    const left = excessWith(manifest, path, 1, live);
    if (left >= least) continue;
    [worst, least] = [[path, value], left];
  }
  return worst;
}

function issueOf(
  manifest: TrainingManifest,
  live: LivePlace | null,
  path: Path,
  value: number,
  limit: Limit,
): SpecIssue {
  const segments = [...path];
  const allowed = largestFitting((number) => excessWith(manifest, path, number, live) <= 1, value);
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
