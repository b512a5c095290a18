import { environmentOfModule, type UserEnvironment } from "../sandbox/environments.ts";
import type { Player } from "./stageProtocol.ts";

/** The user-written environment of a player. @throws Error if its code is not available. */
export function ownEnvironment({ environment, env_config, module }: Player): UserEnvironment {
  if (module === null)
    throw new Error(
      `The code of ${environment} is not available: agent links contain no code. Share the run instead.`,
    );
  return environmentOfModule(environment, env_config, module);
}
