/**
 * Checks that a manifest names nothing outside itself, such as a file: its submitter may read nothing of the
 * platform's machines.
 */

import { type OutsideName, outsideNames } from "../../../src/hosting/index.ts";
import {
  dottedPath,
  SpecError,
  type SpecIssue,
  type TrainingManifest,
} from "../../../src/manifests/index.ts";
import { datasetField, uploadIn } from "../datasets/DatasetTable.ts";

interface InsideOptions {
  /** Whether the module that the manifest names as its rubric was submitted with it. */
  readonly hasReward: boolean;
  /** Whether the operator lets runs download data sets from the hub. */
  readonly fetches: boolean;
}

const RUBRIC = "environment.rubric_file_path";
const DATASET = "environment.dataset_path";
const SHOWN = "training.demonstrations";
/** Fields of the training section that workers have always read. */
const READ: readonly string[] = [SHOWN, "training.load_weights_from"];
const UPLOAD = "an uploaded HDF5 file (PUT /v1/datasets/:sha256)";

/** What else a field may be than a built-in name. */
const SENT: Readonly<Record<string, string>> = {
  [RUBRIC]: ", or a module that is sent as reward_file",
  [DATASET]: `, or the dataset_path of ${UPLOAD}`,
  [SHOWN]: `, or the dataset_path of ${UPLOAD}`,
};

const unsupported = (segments: OutsideName["segments"], message: string): SpecIssue => ({
  code: "unsupported",
  path: dottedPath(segments),
  segments,
  message,
});

function nameIssue({ segments, value, built_in }: OutsideName, isOffline: boolean): SpecIssue {
  const path = dottedPath(segments);
  const sent = path === DATASET && !isOffline ? "" : (SENT[path] ?? "");
  const allowed = built_in.length === 0 ? "leave it out" : `allowed ${built_in.join(", ")}${sent}`;
  return unsupported(
    segments,
    `found "${value}"; the platform's workers cannot read your files and modules: ${allowed}, or train locally with rlkit train`,
  );
}

function fetchIssues({ environment }: TrainingManifest, fetches: boolean): SpecIssue[] {
  if (environment.env_type !== "offline" || fetches) return [];
  const { hub_dataset_id, remote } = environment;
  if (hub_dataset_id === null || !remote) return [];
  const message = `found true; this platform's workers do not download data sets: leave it out to use a copy that a worker has of ${hub_dataset_id}, or ask the operator for --fetch-datasets`;
  return [unsupported(["environment", "remote"], message)];
}

const issuesOf = (
  manifest: TrainingManifest,
  names: readonly OutsideName[],
  { hasReward, fetches }: InsideOptions,
): SpecIssue[] => [
  ...names
    .filter(({ segments }) => {
      const path = dottedPath(segments);
      const isUpload = path === datasetField(manifest) && uploadIn(manifest) !== null;
      return !(path === RUBRIC && hasReward) && !isUpload;
    })
    .map((name) => nameIssue(name, manifest.environment.env_type === "offline")),
  ...fetchIssues(manifest, fetches),
];

/** Issues of a submitted manifest: one for each field that names something outside it. */
export const outsideIssues = (manifest: TrainingManifest, options: InsideOptions): SpecIssue[] =>
  issuesOf(manifest, outsideNames(manifest), options);

/**
 * Checks a stored run once more before it is trained. Fields that workers do not read are ignored, because
 * earlier versions accepted them.
 * @throws SpecError naming every field that a worker would have to open.
 */
export function requireInside(manifest: TrainingManifest, options: InsideOptions): void {
  const read = outsideNames(manifest).filter(
    ({ segments, is_used }) => is_used && (segments[0] !== "training" || READ.includes(dottedPath(segments))),
  );
  const issues = issuesOf(manifest, read, options);
  if (issues.length > 0) throw new SpecError(issues, "run");
}
