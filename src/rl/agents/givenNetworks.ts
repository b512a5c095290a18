/** Networks of the caller's own in place of those from a specification. */
import type { AlgoSpec } from "../../specs/index.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import type { EvolvableModule } from "../modules/index.ts";
import { actionInputs, moduleNetwork } from "../networks/index.ts";
import type { TransitionLayout } from "../programs/replayFields.ts";
import { flatSize } from "../spaces/index.ts";
import type { NetworkState } from "./agentState.ts";
import { scalarsOf } from "./createAgent.ts";
import { networkOf } from "./networkOf.ts";

/** Modules from observation to outputs. */
export interface GivenModules {
  readonly actor_network?: EvolvableModule | null;
  readonly critic_network?: EvolvableModule | null;
}

/**
 * The modules as networks of an agent, by name, with copies of their weights.
 * @throws RangeError when a module's inputs or outputs do not fit, or the algorithm has no such network.
 */
export function givenNetworks(
  spec: AlgoSpec,
  { observation_space, action_space }: TransitionLayout,
  { actor_network, critic_network }: GivenModules,
): Record<string, NetworkState> {
  const networks: Record<string, NetworkState> = {};
  if (!actor_network && !critic_network) return networks;
  const expected = findAlgorithm(spec.name).networks({
    observation_space,
    action_space,
    network: networkOf(spec, observation_space, { network: null }),
    hyperparameters: scalarsOf(spec),
  });
  for (const [name, module] of [
    ["actor", actor_network],
    ["critic", critic_network],
  ] as const) {
    if (!module) continue;
    const data = expected[name];
    if (!data) throw new RangeError(`${name}_network: ${spec.name} has no ${name}; leave it out`);
    const { kind, head, distribution } = data;
    const inputs = flatSize(observation_space);
    try {
      const sizes = { inputs, actions: actionInputs(data), outputs: head.outputs };
      networks[name] = moduleNetwork(module, { kind, ...sizes, distribution });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RangeError(`${name}_network: ${reason}`, { cause: error });
    }
  }
  return networks;
}
