/** What keeps a run from starting although its manifest's fields are all right. */
import { scalarsOf } from "../../rl/member/createAgent.ts";
import {
  algorithmDefinition,
  dottedPath,
  SpecError,
  type SpecIssue,
  type TrainingManifest,
} from "../../specs/index.ts";
import { evolutionOf, requireReplay } from "./buildRun.ts";
import { environmentOf } from "./environmentOf.ts";
import type { LivePlace } from "./estimateRun.ts";
import { sizeIssues } from "./sizeIssues.ts";

const RANGES = ["mutation", "rl_hp_selection"] as const;

/** What a check throws, as issues; other errors than those of settings pass. */
function issuesOf(check: () => void): readonly SpecIssue[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.issues;
    throw error;
  }
}

/** What is missing of the data set that an offline run learns from. */
function datasetIssues({ algorithm, environment }: TrainingManifest): readonly SpecIssue[] {
  if (environment.env_type === "offline" && (environment.dataset_path || environment.hub_dataset_id))
    return [];
  const segments = ["environment", "dataset_path"];
  const message = `is missing: ${algorithm.name} learns from a data set; give dataset_path (a Minari folder or an HDF5 file) or hub_dataset_id`;
  return [{ code: "rule", path: dottedPath(segments), segments, message }];
}

/** What is missing of the table that a bandit chooses in. Its files are read when training starts. */
function tableIssues({ environment }: TrainingManifest): readonly SpecIssue[] {
  const files: Readonly<Record<string, unknown>> = { ...environment };
  const missing = ["features", "targets"].filter((name) => typeof files[name] !== "string");
  return missing.map((name): SpecIssue => {
    const segments = ["environment", name];
    const message = "is missing: a bandit chooses in a table; give the CSV files of its features and targets";
    return { code: "rule", path: dottedPath(segments), segments, message };
  });
}

/** Ranges that no mutation can keep to. */
function evolutionIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { algorithm } = manifest;
  try {
    evolutionOf(manifest, 0).hp_config.check(scalarsOf(algorithm), algorithm.name);
    return [];
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return [{ code: "range", path: dottedPath(RANGES), segments: RANGES, message: error.message }];
  }
}

/**
 * An algorithm, environment or wrappers that this build lacks, networks that do not suit the environment, options that
 * it does not have, a selection that does not suit the population, sizes beyond any machine. The one list of checks of
 * trainers, the command line and the workbench: a manifest without issues starts. It only calculates: nothing is built.
 * @param live Where the run trains, when that is no registered environment.
 */
export function runIssues(manifest: TrainingManifest, live: LivePlace | null = null): readonly SpecIssue[] {
  const { off_policy, offline, bandit, runs } = algorithmDefinition(manifest.algorithm.name);
  // Of an algorithm that does not run, nobody needs to hear more; without an environment nothing more is known.
  if (bandit && !live) return tableIssues(manifest);
  const place = live && runs ? [] : issuesOf(() => environmentOf(manifest));
  if (place.length > 0) return place;
  const data = offline ? datasetIssues(manifest) : [];
  const sizes: SpecIssue[] = [];
  const networks = issuesOf(() => sizes.push(...sizeIssues(manifest, live)));
  // Sizes beyond any machine come first: of others nothing more is asked.
  if (sizes.length > 0) return [...networks, ...sizes, ...data];
  const memory = off_policy ? issuesOf(() => requireReplay(manifest, manifest.training.pop_size)) : [];
  return [...networks, ...evolutionIssues(manifest), ...memory, ...data];
}

/** @throws SpecError listing what {@link runIssues} finds. */
export function requireRunnable(manifest: TrainingManifest, live: LivePlace | null = null): void {
  const issues = runIssues(manifest, live);
  if (issues.length > 0) throw new SpecError(issues, "manifest");
}
