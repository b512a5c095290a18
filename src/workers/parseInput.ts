import { listEnvironments } from "../rl/environments/index.ts";
import { parseManifestObject, type SpecIssue, type TrainingManifest } from "../specs/index.ts";
import { workloadIssues } from "../training/workloads/registry.ts";

/** Loaded only for text: the YAML parser is large. */
const textParser = () => import("../specs/manifest/manifestText.ts");

const options = () => ({ environments: listEnvironments(), alsoCheck: workloadIssues });

/** What keeps a manifest's text from training here. */
export async function issuesOf(text: string): Promise<readonly SpecIssue[]> {
  const { checkManifestText } = await textParser();
  const result = checkManifestText(text, options());
  return result.success ? [] : result.issues;
}

/** @throws SpecError listing every problem; for text, with line and column. */
export async function parseInput(input: unknown): Promise<TrainingManifest> {
  if (typeof input !== "string") return parseManifestObject(input, options());
  const { parseManifestText } = await textParser();
  return parseManifestText(input, options());
}
