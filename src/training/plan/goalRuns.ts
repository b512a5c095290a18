/** Runs with hindsight experience replay: what their environments need. */
import type { TrainingManifest } from "../../manifests/index.ts";
import { isCompiled } from "../../rl/environments.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { requireGoals } from "../../rl/spaces.ts";
import { dottedPath, type SpecIssue } from "../../specs/checks.ts";
import { reasonOf } from "../../storage/files.ts";
import { environmentOf } from "./environmentOf.ts";

/**
 * Issues of hindsight in an environment without goals.
 * @param live The environment's spaces, if it is not a registered one.
 */
export function goalIssues(manifest: TrainingManifest, live: AgentSpaces | null): readonly SpecIssue[] {
  const { replay_buffer } = manifest;
  if (replay_buffer?.kind !== "classic" || !replay_buffer.her) return [];
  const segments = ["replay_buffer", "her"];
  const issue = (message: string): readonly SpecIssue[] => [
    { code: "rule", path: dottedPath(segments), segments, message },
  ];
  const { name, frame_stack = 1 } = manifest.environment as {
    readonly name: string;
    readonly frame_stack?: number;
  };
  if (frame_stack > 1) return issue(`goals are not stacked, and environment.frame_stack is ${frame_stack}`);
  const environment = live ? null : environmentOf(manifest);
  const space = (live ?? environment)?.observation_space;
  try {
    if (space) requireGoals(space, name);
  } catch (error) {
    return issue(reasonOf(error));
  }
  if (!environment || !isCompiled(environment) || environment.goal) return [];
  return issue(`${name} gives no compute_reward for its goals`);
}
