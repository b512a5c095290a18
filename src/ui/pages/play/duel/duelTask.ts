import { environmentSeed, PURPOSE } from "../../../../agents/members.ts";
import { drawEnvironment, findEnvironment } from "../../../../rl/environments.ts";
import type { AgentFile } from "../../../../workers/protocol.ts";
import { bindingsOf, canActByHand } from "../../environments/trial/heldKeys.ts";

/** Steps a second of environments that name none. */
const USUAL = 30;

/** A task that a visitor can play by hand. */
export interface DuelTask {
  /** Steps a second at which it is meant to be shown. */
  readonly rate: number;
}

/** Null for a task that has no keys, no drawing, or code of a user. */
export function duelTask({
  environment,
  env_config,
  module,
}: Pick<AgentFile, "environment" | "env_config" | "module">): DuelTask | null {
  if (module !== null) return null;
  try {
    const { action_space, frame_rate = USUAL, id, options } = findEnvironment(environment, env_config);
    const canPlay = canActByHand(action_space) && bindingsOf(action_space).length > 0;
    return canPlay && drawEnvironment(id, options) !== null ? { rate: frame_rate } : null;
  } catch {
    // The player says what is wrong with the environment.
    return null;
  }
}

/** The seed of an environment in which a stage plays the episode of a seed. */
export const seedOnStage = (seed: number): number => environmentSeed(seed, PURPOSE.record);
