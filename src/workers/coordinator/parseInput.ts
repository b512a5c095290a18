import {
  checkManifest,
  expandStages,
  hasStages,
  parseManifestObject,
  type SpecIssue,
  type StageRun,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import { userEnvironmentName } from "../../specs/sections.ts";
import { workloadIssues } from "../../training/workloads/registry.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";

/** Opens the user environments that manifests name; null for stored runs, which contain their own. */
type Opener = Pick<UserEnvironments, "open"> | null;

/** Loaded only for text, because the YAML parser is large. */
const textParser = () => import("../../manifests/text.ts");

/** Options for checking a manifest, after opening the environment that it names. */
async function optionsFor(manifest: TrainingManifest | null, environments: Opener) {
  const closed = manifest && (await environments?.open(manifest));
  return {
    environments: listEnvironments(),
    alsoCheck: (checked: TrainingManifest) => {
      if (closed) return [closed];
      // Code of a user is opened only for a manifest without faults.
      return manifest === null && userEnvironmentName(checked.environment.name) !== null
        ? []
        : workloadIssues(checked);
    },
  };
}

/** The issues that prevent a manifest's text from training here. */
export async function issuesOf(text: string, environments: Opener): Promise<readonly SpecIssue[]> {
  const { checkRunsText } = await textParser();
  const read = checkRunsText(text);
  const result = checkRunsText(text, await optionsFor(read.success ? read.manifest : null, environments));
  return result.success ? [] : result.issues;
}

/** The stages of a manifest; null for one that is a run. @throws SpecError listing every problem. */
export async function stagesOf(input: unknown): Promise<readonly StageRun[] | null> {
  const options = { environments: listEnvironments(), alsoCheck: workloadIssues };
  const read = (raw: unknown) => (hasStages(raw) ? expandStages(raw, options) : null);
  return typeof input === "string" ? (await textParser()).readSpecText(input, "manifest", read) : read(input);
}

/** @throws SpecError listing every problem; for text, with line and column. */
export async function parseInput(input: unknown, environments: Opener): Promise<TrainingManifest> {
  if (typeof input !== "string") {
    const read = checkManifest(input);
    return parseManifestObject(input, await optionsFor(read.success ? read.manifest : null, environments));
  }
  const { checkManifestText, parseManifestText } = await textParser();
  const read = checkManifestText(input);
  return parseManifestText(input, await optionsFor(read.success ? read.manifest : null, environments));
}
