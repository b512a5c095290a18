/** Runs with hindsight experience replay: what their environments need. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { findEnvironment, isCompiled, listEnvironments } from "../../rl/environments.ts";
import { dottedPath, type SpecIssue } from "../../specs/checks.ts";
import { environmentOf } from "./environmentOf.ts";

/** Whether an environment can tell rewards for goals that it did not ask for. */
const hasGoals = (environment: ReturnType<typeof findEnvironment>): boolean =>
  isCompiled(environment) && environment.goal !== undefined;

/**
 * Issues of hindsight in an environment without goals.
 * @param live Whether the environment is a caller's own object.
 */
export function goalIssues(manifest: TrainingManifest, live: boolean): readonly SpecIssue[] {
  const { replay_buffer, environment } = manifest;
  if (replay_buffer?.kind !== "classic" || !replay_buffer.her_buffer) return [];
  if (!live && hasGoals(environmentOf(manifest))) return [];
  const segments = ["replay_buffer", "her_buffer"];
  const known = listEnvironments().filter((id) => hasGoals(findEnvironment(id)));
  const message = `found true; ${environment.name} is no compiled environment with goals, such as ${known.join(" and ")}`;
  return [{ code: "rule", path: dottedPath(segments), segments, message }];
}
