/** The caller's own networks for several agents, by key. */
import type { AlgoSpec } from "../../manifests/index.ts";
import { memberOf, type TeamKey, teamOf, withFamilies } from "../../rl/contract.ts";
import { EvolvableModule, type NetworkData, type NetworkState, readsActions } from "../../rl/networks.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { scalarsOf } from "./createAgent.ts";
import { fitted } from "./givenNetworks.ts";
import { type GivenNetwork, networkContext } from "./networkOf.ts";
import { findAlgorithm } from "./registry.ts";

/** A module for each key, or a list of modules for a key with several critics. */
export type ModulesByKey = Readonly<Record<string, EvolvableModule | readonly EvolvableModule[]>>;

export interface GivenTeamModules {
  /** From the observation of an agent of the key to its action. */
  readonly actor_networks?: ModulesByKey | null;
  /**
   * From the input of the key's critic (all agents' observations and actions, or its own observation) to a
   * value.
   */
  readonly critic_networks?: ModulesByKey | null;
}

const listOf = (given: ModulesByKey[string]): readonly EvolvableModule[] =>
  given instanceof EvolvableModule ? [given] : given;

/**
 * The modules as networks of a member with several agents, by name, with copies of their weights.
 * @throws RangeError naming the option and the key, for an unknown key, a wrong number of critics, or inputs
 *   or outputs that do not fit.
 */
export function givenTeamNetworks(
  spec: AlgoSpec,
  spaces: AgentSpaces,
  { actor_networks, critic_networks }: GivenTeamModules,
  network: GivenNetwork = null,
): Record<string, NetworkState> {
  if (!actor_networks && !critic_networks) return {};
  const definition = findAlgorithm(spec.name);
  const expected = definition.networks(networkContext(spec, spaces, { network }, scalarsOf(spec)));
  const { targets } = withFamilies(definition, Object.keys(expected));
  const team = teamOf(spaces);
  const made: Record<string, NetworkState> = {};
  const place = (
    option: string,
    key: TeamKey,
    modules: ModulesByKey[string],
    names: readonly string[],
  ): void => {
    const list = listOf(modules);
    const at = `${option}.${key.key}`;
    if (list.length !== names.length)
      throw new RangeError(
        `${at}: found ${list.length} modules, allowed ${names.length} (${names.join(", ")})`,
      );
    names.forEach((name, i) => {
      const data = expected[name] as NetworkData;
      // A critic that reads actions reads the observations of all agents.
      const observed = readsActions(data) ? spaces.observation_space : key.observation_space;
      const own = names.length === 1 ? at : `${at}[${i}]`;
      made[name] = fitted(own, list[i] as EvolvableModule, data, observed);
    });
  };
  for (const [option, given] of Object.entries({ actor_networks, critic_networks })) {
    for (const [name, modules] of Object.entries(given ?? {})) {
      const key = team.find((one) => one.key === name);
      if (!key)
        throw new RangeError(
          `${option}.${name}: found no such key, allowed ${team.map((one) => one.key).join(", ")}`,
        );
      const actor = memberOf(definition.policy, name);
      const critics = Object.keys(expected).filter(
        (other) => other.endsWith(`.${name}`) && other !== actor && !Object.hasOwn(targets, other),
      );
      place(option, key, modules, option === "actor_networks" ? [actor] : critics);
    }
  }
  return made;
}
