import type { EnvironmentOptions } from "../rl/environments.ts";
import { spaceFromJson } from "../rl/spaces.ts";
import type { OpenedModule } from "./openedModule.ts";
import { rememberModule } from "./rememberModule.ts";
import { knownUserEnvironment, type UserEnvironment } from "./userEnvironments.ts";

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
