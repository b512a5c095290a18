import { templates } from "../../src/manifests/index.ts";

/** Templates of reinforcement learning in registered environments. */
export const rlTemplates = templates.filter(
  ({ manifest }) => !["rollout", "dataset", "bandit"].includes(manifest.environment.env_type ?? "gym"),
);
