/**
 * Names that the manifest format knows. Those that no schema of this build reads are rejected with a
 * message that says so, rather than as a typo.
 */
export const KNOWN_ENV_TYPES = [
  "gym",
  "offline",
  "bandit",
  "rollout",
  "dataset",
  "reasoning",
  "multiturn",
  "preference",
  "sft",
] as const;
