import { reshape, type Tensor } from "../../../kernels/index.ts";
import type { CompiledEnvironment, EnvState } from "../../environments/definition/compiledEnvironment.ts";
import { networkInput } from "../lanes.ts";
import { type AgentStructure, readNetworks } from "../learning.ts";
import { encodeStep } from "../memory.ts";
import type { Evaluated } from "./SearchRule.ts";

/**
 * Judges positions by an agent's policy and value networks, as they are where this is called.
 * @param prefix Begins the names of the networks' buffers (default: none).
 * @throws RangeError for an algorithm without a policy over choices or without a state value.
 */
export function agentEvaluator(
  structure: AgentStructure,
  env: CompiledEnvironment,
  prefix = "",
): (state: EnvState) => Evaluated {
  const { algorithm } = structure;
  if (algorithm.kind !== "on_policy" || algorithm.multi_agent)
    throw new RangeError(
      `${algorithm.name}: found no policy with a state value, allowed PPO as evaluator of a tree search`,
    );
  const networks = readNetworks(structure, undefined, prefix);
  return (state) => {
    const obs = networkInput(structure, env.observation_space, env.observe(state));
    const { latents } = encodeStep(algorithm, networks, obs, env);
    const { logits } = algorithm.policyOutputs?.(networks, latents(algorithm.policy)) ?? {};
    if (!logits) throw new RangeError(`${env.id}: action_space: a tree search needs a Discrete one`);
    const value = algorithm.value(networks, latents, env);
    return { logits, value: reshape(value, [(logits as Tensor).shape[0] ?? 1]) };
  };
}
