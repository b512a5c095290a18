import { templates } from "../../src/specs/index.ts";

/** Templates of reinforcement learning: those whose environments have spaces. */
export const rlTemplates = templates.filter(
  ({ manifest }) => !["rollout", "dataset"].includes(manifest.environment.env_type ?? "gym"),
);
