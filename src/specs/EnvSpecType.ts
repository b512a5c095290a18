import { z } from "zod";
import { BanditEnvSpec } from "./BanditEnvSpec.ts";
import { GymEnvSpec } from "./GymEnvSpec.ts";
import { KNOWN_ENV_TYPES } from "./knownNames.ts";
import { DatasetEnvSpec, RolloutEnvSpec } from "./LLMEnvSpec.ts";
import { OfflineEnvSpec } from "./OfflineEnvSpec.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

const TAG: UnionTag = {
  what: "environment type",
  key: "env_type",
  tags: ["gym", "offline", "bandit", "rollout", "dataset"],
  known: KNOWN_ENV_TYPES,
  fallback: "gym",
};

const madeEnvSpecType = tagged(
  z.union([
    option(TAG, "gym", GymEnvSpec),
    option(TAG, "offline", OfflineEnvSpec),
    option(TAG, "bandit", BanditEnvSpec),
    option(TAG, "rollout", RolloutEnvSpec),
    option(TAG, "dataset", DatasetEnvSpec),
  ]),
  TAG,
);
type EnvSpecTypeMade = typeof madeEnvSpecType;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface EnvSpecTypeSchema extends EnvSpecTypeMade {}

/**
 * Any environment; `env_type` selects its type. In a manifest, the algorithm implies it when absent.
 *
 * @example
 * ```ts
 * const environment = EnvSpecType.parse({ name: "CartPole-v1", num_envs: 8 });
 * console.log(environment.env_type); // gym
 * ```
 */
export const EnvSpecType: EnvSpecTypeSchema = madeEnvSpecType;
export type EnvSpecType = z.output<typeof EnvSpecType>;
