/** Issues that keep a run from starting although each field of its manifest is valid. */

import { scalarsOf } from "../../agents/members.ts";
import { MOST_DRAWS } from "../../evolution/members.ts";
import {
  algorithmDefinition,
  dottedPath,
  SpecError,
  type SpecIssue,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { LARGEST_COUNT } from "../../specs/messages.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";
import { evolutionOf, requireReplay } from "./buildRun.ts";
import { dataSpacesOf, isDataAlone } from "./dataSpaces.ts";
import { demonstrationIssues } from "./demonstrationRuns.ts";
import { aloneIssues, environmentOf } from "./environmentOf.ts";
import { estimateRun, type LivePlace, numbersOf, type RunEstimate, tournamentSize } from "./estimateRun.ts";
import { gameIssues } from "./gameRuns.ts";
import { goalIssues } from "./goalRuns.ts";
import { excessIssues, inArray, inMemory, inThread, inTime, type Limit, type Path } from "./limits.ts";

/** Limit of the members that selection draws for each generation. */
export const inDraws = (draws: number): Limit => ({
  needs: draws,
  most: MOST_DRAWS,
  words: `needs ${draws} draws for each generation's selection (pop_size x tournament_size), allowed: at most ${MOST_DRAWS}`,
});

function limitsOf(estimate: RunEstimate): Limit[] {
  const { total_bytes, thread_bytes, array_bytes, setup_seconds, step_seconds } = estimate;
  const { selection_draws, episode_steps } = estimate;
  return [
    inThread(thread_bytes),
    inArray(array_bytes),
    inMemory(total_bytes),
    inTime(setup_seconds, "to draw the initial weights"),
    inTime(step_seconds, "between two points at which it can be stopped"),
    inDraws(selection_draws),
    {
      needs: episode_steps,
      most: LARGEST_COUNT,
      words: `needs ${episode_steps} steps for an episode, allowed: at most ${LARGEST_COUNT}`,
    },
  ];
}

/** Paths and values of the numbers that determine sizes. */
function sizesOf(manifest: TrainingManifest): [Path, number][] {
  const { algorithm, environment, training, network, mutation, replay_buffer } = manifest;
  const { num_envs_field } = algorithmDefinition(algorithm.name);
  const { env_config } = environment as { readonly env_config?: unknown };
  return numbersOf({
    environment: { num_envs: environment.num_envs, env_config },
    replay_buffer: replay_buffer?.kind === "classic" ? { max_size: replay_buffer.max_size } : null,
    network,
    mutation: network === null ? { network: mutation?.network } : null,
    algorithm: num_envs_field === null ? algorithm : { ...algorithm, [num_envs_field]: null },
    training: { pop_size: training.pop_size },
    selection_strategy: { tournament_size: tournamentSize(manifest) },
  });
}

/** Issues for the settings that cause an estimate to exceed a limit, worst first. */
const sizeIssues = (manifest: TrainingManifest, live: LivePlace | null = null): SpecIssue[] =>
  excessIssues(manifest, { limitsOf: (each) => limitsOf(estimateRun(each, live)), sizesOf });

const RANGES = ["mutation", "rl_hp_selection"] as const;

/** Returns the issues of the SpecError that a check throws; other errors propagate. */
function issuesOf(check: () => void): readonly SpecIssue[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.issues;
    throw error;
  }
}

/** Issues for a missing data set of an offline run. */
function datasetIssues({ algorithm, environment }: TrainingManifest): readonly SpecIssue[] {
  if (environment.env_type === "offline" && (environment.dataset_path || environment.hub_dataset_id))
    return [];
  const segments = ["environment", "dataset_path"];
  const message = `is missing: ${algorithm.name} learns from a data set; give dataset_path (a Minari folder, or an HDF5, CSV or games file) or hub_dataset_id`;
  return [{ code: "rule", path: dottedPath(segments), segments, message }];
}

const FITNESS_ALONE: SpecIssue = {
  code: "rule",
  path: "training.fitness",
  segments: ["training", "fitness"],
  message: `found "environment", and environment.name is "${NO_ENVIRONMENT}"; allowed: fqe, or name an environment`,
};

/** Issues of a fitness that needs a data set, or an environment. */
function fitnessIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { algorithm, training } = manifest;
  if (isDataAlone(manifest)) return training.fitness === "fqe" ? [] : [FITNESS_ALONE];
  if (training.fitness === "environment" || algorithmDefinition(algorithm.name).offline) return [];
  const segments = ["training", "fitness"];
  const message = `found "fqe", and ${algorithm.name} does not learn from a data set; allowed: environment`;
  return [{ code: "rule", path: dottedPath(segments), segments, message }];
}

/** Issues for missing files of a bandit's table. The files are read when training starts. */
function tableIssues({ environment }: TrainingManifest): readonly SpecIssue[] {
  const files: Readonly<Record<string, unknown>> = { ...environment };
  const missing = ["features", "targets"].filter((name) => typeof files[name] !== "string");
  return missing.map((name): SpecIssue => {
    const segments = ["environment", name];
    const message = "is missing: a bandit chooses in a table; give the CSV files of its features and targets";
    return { code: "rule", path: dottedPath(segments), segments, message };
  });
}

/** Issues for mutation ranges that do not fit the algorithm's hyperparameters. */
function evolutionIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { algorithm } = manifest;
  try {
    evolutionOf(manifest, 0).hp_config.check(scalarsOf(algorithm), algorithmDefinition(algorithm.name));
    return [];
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return [{ code: "range", path: dottedPath(RANGES), segments: RANGES, message: error.message }];
  }
}

/**
 * Finds unsupported algorithms, environments or wrappers, networks that do not fit the environment, unknown
 * options, a selection that does not fit the population, and sizes beyond any machine. Trainers, the command
 * line and the workbench all use this list: a manifest without issues starts. It only calculates: nothing is
 * built.
 * @param live The environment of the run, if it is not a registered one.
 */
export function runIssues(manifest: TrainingManifest, live: LivePlace | null = null): readonly SpecIssue[] {
  const { off_policy, offline, bandit, runs } = algorithmDefinition(manifest.algorithm.name);
  // For an unsupported algorithm, further issues are not worth reporting; without an environment, none can be
  // found.
  if (bandit && !live) return tableIssues(manifest);
  if (isDataAlone(manifest) && !dataSpacesOf(manifest))
    return [...aloneIssues(manifest), ...fitnessIssues(manifest), ...datasetIssues(manifest)];
  const place = live && runs ? [] : issuesOf(() => environmentOf(manifest));
  if (place.length > 0) return place;
  const data = offline ? datasetIssues(manifest) : [];
  const sizes: SpecIssue[] = [];
  const networks = issuesOf(() => sizes.push(...sizeIssues(manifest, live)));
  // With sizes beyond any machine, the remaining checks are skipped.
  if (sizes.length > 0) return [...networks, ...sizes, ...data];
  const memory = off_policy ? issuesOf(() => requireReplay(manifest, manifest.training.pop_size)) : [];
  const game = live ? [] : gameIssues(manifest);
  const goals = off_policy ? goalIssues(manifest, live) : [];
  const fitness = fitnessIssues(manifest);
  const shown = demonstrationIssues(manifest);
  return [
    ...networks,
    ...evolutionIssues(manifest),
    ...memory,
    ...goals,
    ...game,
    ...fitness,
    ...data,
    ...shown,
  ];
}

/** @throws SpecError listing the issues that {@link runIssues} finds. */
export function requireRunnable(manifest: TrainingManifest, live: LivePlace | null = null): void {
  const issues = runIssues(manifest, live);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}
