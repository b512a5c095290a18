import type { VectorEnvironment, VectorStepResult } from "../environments/VectorEnvironment.ts";

/** @throws Error naming the lane whose reward or observation is not a finite number. */
export function requireFiniteStep(
  { reward, final_observation, observation }: VectorStepResult,
  { num_envs, spec }: VectorEnvironment,
): void {
  for (const [what, values] of Object.entries({ reward, observation, final_observation })) {
    const at = values.findIndex((x) => !Number.isFinite(x));
    if (at < 0) continue;
    const lane = Math.floor((at * num_envs) / values.length);
    throw new Error(
      `${spec?.id ?? "environment"}: ${what} of environment ${lane}: found ${values[at]}, allowed finite numbers`,
    );
  }
}
