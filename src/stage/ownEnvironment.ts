import { environmentOfModule } from "../sandbox/environmentOfModule.ts";
import type { UserEnvironment } from "../sandbox/userEnvironments.ts";
import type { Player } from "./stageProtocol.ts";

/** What a player plays in that a person wrote. @throws Error where the code is not at hand. */
export function ownEnvironment({ environment, env_config, module }: Player): UserEnvironment {
  if (module === null)
    throw new Error(
      `The code of ${environment} is not here: links of agents hold none. Share the run instead.`,
    );
  return environmentOfModule(environment, env_config, module);
}
