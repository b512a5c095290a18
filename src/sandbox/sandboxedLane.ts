import { resetLanes, stepLanes } from "../agents/members.ts";
import type { Action, ResetOptions, ResetResult, StepResult } from "../rl/faces.ts";
import type { SingleAgentSpace } from "../rl/spaces.ts";
import { SandboxedEnvironment } from "./SandboxedEnvironment.ts";
import { openSandbox } from "./SandboxPort.ts";
import type { UserEnvironment } from "./userEnvironments.ts";

/** Lanes of an opened environment, in their own sandbox. @throws As for `SandboxedEnvironment.open`. */
export const sandboxedLanes = (
  { id: name, module, entrypoint, timeout_s, options = {} }: UserEnvironment,
  num_envs: number,
): Promise<SandboxedEnvironment> =>
  SandboxedEnvironment.open(openSandbox, {
    name,
    script: module.script,
    entrypoint,
    options,
    num_envs,
    timeout_s,
  });

/**
 * An opened single-agent environment in its own sandbox, with the methods of a single environment but
 * asynchronous results. The caller must close it.
 * @throws As for `SandboxedEnvironment.open`.
 */
export async function sandboxedLane(own: UserEnvironment) {
  const env = await sandboxedLanes(own, 1);
  return {
    // Callers have checked that the environment has one agent.
    observation_space: own.observation_space as SingleAgentSpace,
    action_space: own.action_space as SingleAgentSpace,
    spec: env.spec,
    reset: async ({ seed }: ResetOptions = {}): Promise<ResetResult> => {
      const { observation, info } = await resetLanes(env, seed === undefined ? {} : { seed });
      return { observation, info: info[0] ?? {} };
    },
    step: async (action: Action): Promise<StepResult> => {
      const step = await stepLanes(env, typeof action === "number" ? [action] : action);
      return {
        observation: step.final_observation,
        reward: step.reward[0] ?? 0,
        terminated: step.terminated[0] === 1,
        truncated: step.truncated[0] === 1,
        info: step.final_info[0] ?? {},
      };
    },
    close: () => env.close(),
  };
}
