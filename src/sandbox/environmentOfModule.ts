import type { EnvironmentOptions } from "../rl/faces.ts";
import { type SpaceJson, spaceFromJson, spaceToJson } from "../rl/spaces.ts";
import { rememberModule } from "./rememberModule.ts";
import { knownUserEnvironment, type UserEnvironment } from "./userEnvironments.ts";

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

/**
 * The environment of an opened module, without running it. Returns the same object for
 * the same module and options.
 */
export function environmentOfModule(
  name: string,
  env_config: EnvironmentOptions | null,
  { module, entrypoint, timeout_s, stated_limit, ...spaces }: OpenedModule,
): UserEnvironment {
  const place = { name, version: module.sha256, entrypoint, env_config };
  return (
    knownUserEnvironment(place) ??
    rememberModule(place, module, {
      observation_space: spaceFromJson(spaces.observation_space),
      action_space: spaceFromJson(spaces.action_space),
      stated_limit,
      timeout_s,
      warnings: [],
    })
  );
}
