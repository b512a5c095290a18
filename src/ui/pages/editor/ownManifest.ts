/** A manifest that trains an agent of the task that a link's agent plays. */
import { environmentFacts } from "../../../manifests/environmentFacts.ts";
import { templates } from "../../../manifests/templates.ts";
import { isUserEnvironment } from "../../../specs/sections.ts";
import type { AgentFile } from "../../../workers/protocol.ts";
import { manifestLink } from "./sharedManifest.ts";

/** Where an agent is to be trained, and how. */
interface WantedAgent extends Pick<AgentFile, "environment" | "env_config"> {
  readonly algorithm: string;
}

/** The algorithm of most tasks, by what it takes: any observation and any action. */
const USUAL = "ppo-cartpole";
/** The same for tasks of several agents. */
const USUAL_OF_TEAMS = "ippo-spread";

/**
 * The address of the editor with a manifest for an agent's task: a template of the task, of the agent's algorithm if
 * there is one. Null for a task in the code of a user, which links do not contain.
 */
export function ownManifestLink({ environment, env_config, algorithm }: WantedAgent): string | null {
  if (isUserEnvironment(environment)) return null;
  const usual = environmentFacts[environment]?.team ? USUAL_OF_TEAMS : USUAL;
  const ofTask = templates.filter(({ manifest }) => manifest.environment.name === environment);
  const isSame = ({ manifest }: (typeof templates)[number]): boolean => manifest.algorithm.name === algorithm;
  const found = ofTask.find(isSame) ?? ofTask[0] ?? templates.find(({ id }) => id === usual);
  if (found === undefined) return null;
  const { manifest } = found;
  const { target_score: _, ...training } = manifest.training ?? {};
  const ofOther = manifest.environment.name !== environment;
  try {
    return manifestLink({
      apiVersion: "agilerl.com/v1",
      ...manifest,
      environment: {
        ...(ofOther ? { num_envs: 8 } : manifest.environment),
        name: environment,
        ...(env_config && { env_config }),
      },
      ...(ofOther && { training }),
    });
  } catch {
    // No manifest of this task is valid, such as one with an unknown environment.
    return null;
  }
}
