/** What an agent expects to come of a situation. */
import { max, type Program, reshape, state, type Tensor, trace } from "../../kernels/index.ts";
import type { Networks } from "../contract/networks.ts";
import { networkMemory } from "../networks/index.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep } from "./memory.ts";

/** The output of policies that rate every action (DQN, RainbowDQN): expected returns [n, actions]. */
const RATINGS = "q_values";

/**
 * Whether {@link valueProgram} can be made: of a single agent without memory that has a critic of states, or rates all
 * its actions. A policy alone has no critic.
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

/** Values of `act.obs` in `act.value` [lanes]: expected returns, discounted as the agent learnt them. */
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
