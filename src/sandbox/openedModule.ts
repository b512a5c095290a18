/** An opened module's environment as plain data, for threads that have not opened it. */
import { type SpaceJson, spaceToJson } from "../rl/spaces.ts";
import type { UserEnvironment } from "./userEnvironments.ts";

/** What a thread needs to open a sandbox for the environment, and to check agents against it beforehand. */
export interface OpenedModule
  extends Pick<UserEnvironment, "module" | "entrypoint" | "timeout_s" | "stated_limit"> {
  readonly observation_space: SpaceJson;
  readonly action_space: SpaceJson;
}

export const openedModule = (environment: UserEnvironment): OpenedModule => {
  const { module, entrypoint, timeout_s, stated_limit, observation_space, action_space } = environment;
  return {
    module,
    entrypoint,
    timeout_s,
    stated_limit,
    observation_space: spaceToJson(observation_space),
    action_space: spaceToJson(action_space),
  };
};
