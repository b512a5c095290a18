import { z } from "zod";
import { GymEnvSpec } from "./GymEnvSpec.ts";
import { KNOWN_ENV_TYPES } from "./knownNames.ts";
import { OfflineEnvSpec } from "./OfflineEnvSpec.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

const TAG: UnionTag = {
  what: "environment type",
  key: "env_type",
  tags: ["gym", "offline"],
  known: KNOWN_ENV_TYPES,
  fallback: "gym",
};

/** Any environment; `env_type` says which kind, in a manifest implied by the algorithm when absent. */
export const EnvSpecType = tagged(
  z.union([option(TAG, "gym", GymEnvSpec), option(TAG, "offline", OfflineEnvSpec)]),
  TAG,
);
export type EnvSpecType = z.output<typeof EnvSpecType>;
