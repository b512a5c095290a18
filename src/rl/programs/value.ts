/** The value that an agent expects from an observation. */
import { max, type Program, reshape, state, type Tensor, trace } from "../../kernels/index.ts";
import type { Networks } from "../contract/networks.ts";
import { networkMemory } from "../networks/index.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep } from "./memory.ts";

/** The policy output that rates every action (DQN, RainbowDQN): expected returns [n, actions]. */
const RATINGS = "q_values";

/**
 * Whether {@link valueProgram} can be made: for a single agent without recurrent state that has a state-value
 * critic or rates all its actions. A policy-only agent has no critic.
 */
export function hasValue({ algorithm, networks }: AgentStructure): boolean {
  if (algorithm.multi_agent) return false;
  if (Object.values(networks).some((data) => networkMemory(data).length > 0)) return false;
  if (algorithm.kind === "off_policy") return algorithm.countsActions === true;
  return Object.keys(networks).some((name) => !algorithm.policies.includes(name));
}

function ratings(
  { name, policyOutputs }: AgentStructure["algorithm"],
  networks: Networks,
  latent: Tensor,
): Tensor {
  const rated = policyOutputs?.(networks, latent)[RATINGS];
  if (!rated) throw new TypeError(`${name}: its policy gives no ${RATINGS}`);
  return rated;
}

/**
 * Writes the values of `act.obs` to `act.value` [lanes]: expected returns, with the discount that the agent
 * was trained with.
 */
export function valueProgram(structure: AgentStructure, layout: AgentSpaces): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.value`, () => {
    const seen = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const obs = networkInput(structure, layout.observation_space, seen);
    const networks = readNetworks(structure, algorithm.kind === "on_policy" ? undefined : algorithm.policies);
    const { latents } = encodeStep(algorithm, networks, obs, layout);
    const value =
      algorithm.kind === "on_policy"
        ? algorithm.value(networks, latents, layout)
        : max(ratings(algorithm, networks, latents(algorithm.policy)));
    state("act.value", [lanes]).write(reshape(value, [lanes]));
  });
}
