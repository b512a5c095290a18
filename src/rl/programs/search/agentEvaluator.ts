import { type Dim, greater, max, mul, reshape, select, type Tensor } from "../../../kernels/index.ts";
import type { CompiledEnvironment, EnvState } from "../../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../../spaces.ts";
import { legalIn } from "../game.ts";
import { networkInput } from "../lanes.ts";
import { type AgentStructure, readNetworks } from "../learning.ts";
import { encodeStep } from "../memory.ts";
import { hasValue, ratings } from "../policy.ts";
import { type Evaluated, NEVER } from "./SearchRule.ts";

/** Makes a policy of expected returns: a move is e times as likely as one that brings 0.1 less. */
const SHARPNESS = 10;

/** Judges what players see, [n, ...]. @param legal Gives the legal actions, f32 [n, actions]. */
export type Judges = (seen: Tensor, legal: () => Tensor) => Evaluated;

/**
 * Judges observations by an agent's networks, as they are where this is called: by its policy and its state value, or, for
 * Q-learners, by the softmax and the largest of the returns that it expects.
 * @param prefix Begins the names of the networks' buffers (default: none).
 * @throws RangeError for an agent without a value, and for one whose actions are not choices.
 */
export function agentJudge(structure: AgentStructure, spaces: AgentSpaces, prefix = ""): Judges {
  const { algorithm } = structure;
  const { observation_space, action_space } = spaces;
  if (action_space.kind !== "Discrete")
    throw new RangeError("action_space: a tree search needs a Discrete one");
  if (algorithm.kind === "evolution" || !hasValue(structure))
    throw new RangeError(
      `${algorithm.name}: found no value of positions, allowed in a tree search: agents with a value network, and Q-learners; none with recurrent networks`,
    );
  const isQLearner = algorithm.kind === "off_policy";
  const networks = readNetworks(structure, isQLearner ? algorithm.policies : undefined, prefix);
  return (seen, legal) => {
    const obs = networkInput(structure, observation_space, seen);
    const n = obs.shape[0] as Dim;
    const { latents } = encodeStep(algorithm, networks, obs, spaces);
    if (isQLearner) {
      const returns = ratings(algorithm, networks, latents(algorithm.policy));
      const best = max(select(greater(legal(), 0), returns, NEVER));
      return { logits: mul(returns, SHARPNESS), value: reshape(best, [n]) };
    }
    const { logits } = algorithm.policyOutputs?.(networks, latents(algorithm.policy)) ?? {};
    return { logits: logits as Tensor, value: reshape(algorithm.value(networks, latents, spaces), [n]) };
  };
}

/** Judges positions of a game as {@link agentJudge}. */
export function agentEvaluator(
  structure: AgentStructure,
  env: CompiledEnvironment,
  prefix = "",
): (state: EnvState) => Evaluated {
  const judge = agentJudge(structure, env, prefix);
  return (state) => judge(env.observe(state), () => legalIn(env, state));
}
