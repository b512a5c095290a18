import { policyGradientShape } from "../rl/definitions.ts";
import { explorationNoiseShape } from "../specs/algorithms.ts";

/** Environments whose reward little noise does not find, and the drifting noise needed (docs/results.md). */
const NEEDED: ReadonlyMap<string, number> = new Map([["MountainCarContinuous-v0", 0.5]]);

/** Environments in which PPO's default entropy bonus ends exploration too early, with what is needed (docs/results.md). */
const ENTROPY: ReadonlyMap<string, { readonly ent_coef: number; readonly lr: number }> = new Map([
  ["CliffWalking-v1", { ent_coef: 0.1, lr: 0.001 }],
]);
const DEFAULT_ENTROPY = policyGradientShape.ent_coef.parse(undefined);

const DEFAULT = explorationNoiseShape.expl_noise.parse(undefined);

export interface ExplorationWarning {
  /** The hyperparameter that the warning is about. */
  readonly field: "expl_noise" | "O_U_noise" | "ent_coef";
  readonly message: string;
}

/**
 * Why an agent probably explores too little to learn in an environment; null if nothing suggests so.
 * @param environment Id of the environment.
 * @param values Hyperparameters of the agents. Not all algorithms have noise or an entropy bonus.
 */
export function explorationWarning(
  environment: string,
  values: Readonly<Record<string, unknown>>,
): ExplorationWarning | null {
  const entropy = ENTROPY.get(environment);
  if (entropy && values.ent_coef === DEFAULT_ENTROPY) {
    const advice = `agents of ${environment} learn with ent_coef: ${entropy.ent_coef} and lr: ${entropy.lr}, and otherwise mostly stop exploring before they find the goal`;
    return { field: "ent_coef", message: `is ${DEFAULT_ENTROPY}, the default: ${advice}` };
  }
  const needed = NEEDED.get(environment);
  const { expl_noise, O_U_noise } = values;
  if (needed === undefined || expl_noise === undefined) return null;
  const advice = `agents of ${environment} learn with drifting noise of ${needed} (expl_noise: ${needed}, O_U_noise: true), and hardly ever find its reward otherwise`;
  if (expl_noise === DEFAULT)
    return { field: "expl_noise", message: `is ${DEFAULT}, the default: ${advice}` };
  if (O_U_noise === false) return { field: "O_U_noise", message: `is false: ${advice}` };
  return null;
}
