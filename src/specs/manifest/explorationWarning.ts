import { explorationNoiseShape } from "../algorithms/explorationNoise.ts";

/** Environments whose reward little noise does not find, and the drifting noise needed (docs/results.md). */
const NEEDED: ReadonlyMap<string, number> = new Map([["MountainCarContinuous-v0", 0.5]]);

const DEFAULT = explorationNoiseShape.expl_noise.parse(undefined);

export interface ExplorationWarning {
  /** The hyperparameter that the warning is about. */
  readonly field: "expl_noise" | "O_U_noise";
  readonly message: string;
}

/**
 * Why the action noise of an agent is probably too weak for it to learn in an environment; null if nothing suggests so.
 * @param environment Id of the environment.
 * @param values Hyperparameters of the agents. Not all algorithms have noise.
 */
export function explorationWarning(
  environment: string,
  values: Readonly<Record<string, unknown>>,
): ExplorationWarning | null {
  const needed = NEEDED.get(environment);
  const { expl_noise, O_U_noise } = values;
  if (needed === undefined || expl_noise === undefined) return null;
  const advice = `agents of ${environment} learn with drifting noise of ${needed} (expl_noise: ${needed}, O_U_noise: true), and hardly ever find its reward otherwise`;
  if (expl_noise === DEFAULT)
    return { field: "expl_noise", message: `is ${DEFAULT}, the default: ${advice}` };
  if (O_U_noise === false) return { field: "O_U_noise", message: `is false: ${advice}` };
  return null;
}
