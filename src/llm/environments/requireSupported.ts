import type { RolloutEnvSpec } from "../../specs/LLMEnvSpec.ts";

/** @throws Error naming a field that is not supported, with what to use instead. */
export function requireSupported(spec: RolloutEnvSpec): void {
  const own = "an environment of your own with reset and step by env_factory of trainLlmRollout";
  const refused = [
    ["env_url", `environments by URL are not supported; give ${own}`],
    ["env_image", `containers are not supported; give ${own}`],
    ["mcp_tool", `tools of served environments are not supported; give ${own}`],
    ["factory", `functions in Python do not run here; give ${own}`],
    ["env_packages", `packages of Python are not installed here; give ${own}`],
    [
      "observation_processor",
      "functions in Python do not run here; give one to RolloutHarness, or observation_field",
    ],
  ] as const;
  for (const [key, why] of refused)
    if (spec[key] !== null) throw new Error(`environment.${key}: found ${JSON.stringify(spec[key])}; ${why}`);
}
