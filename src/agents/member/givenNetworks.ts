/**
 * The caller's own networks, in place of those from a specification: of one agent, and of several by key.
 */
import type { AlgoSpec } from "../../manifests/index.ts";
import { memberOf, type TeamKey, teamOf, withFamilies } from "../../rl/contract.ts";
import {
  actionsBeside,
  atomsOf,
  EvolvableModule,
  moduleNetwork,
  type NetworkData,
  type NetworkState,
  readsActions,
} from "../../rl/networks.ts";
import { type AgentSpaces, flatSize, type Space } from "../../rl/spaces.ts";
import { scalarsOf } from "./createAgent.ts";
import { type GivenNetwork, networkContext } from "./networkOf.ts";
import { findAlgorithm } from "./registry.ts";
import { requireBounds, requireImage, requireNoMemory, requireParts } from "./stateFit.ts";

/** Modules from observation (and action, for Q values of continuous actions) to outputs. */
export interface GivenModules {
  readonly actor_network?: EvolvableModule | null;
  readonly critic_network?: EvolvableModule | null;
  /** All critics of an algorithm that has several (TD3: two). */
  readonly critic_networks?: readonly EvolvableModule[] | null;
}

/** A module, the option that it came from, and the name of the network that it replaces. */
interface Given {
  readonly option: string;
  readonly name: string;
  readonly module: EvolvableModule;
}

/**
 * The modules as networks of an agent, by name, with copies of their weights. The only setting that they take
 * from `network` is `squash_output`.
 * @throws RangeError naming the option, when a module's inputs or outputs do not fit or the algorithm has no
 *   such network.
 */
export function givenNetworks(
  spec: AlgoSpec,
  { observation_space, action_space }: AgentSpaces,
  modules: GivenModules,
  network: GivenNetwork = null,
): Record<string, NetworkState> {
  const { actor_network, critic_network, critic_networks } = modules;
  if (!actor_network && !critic_network && !critic_networks) return {};
  const hyperparameters = scalarsOf(spec);
  if (hyperparameters.recurrent === true) {
    const option = actor_network ? "actor_network" : critic_network ? "critic_network" : "critic_networks";
    throw new RangeError(
      `${option}: found a module, allowed none: a recurrent policy has an encoder with memory; describe it in network`,
    );
  }
  const algorithm = findAlgorithm(spec.name);
  const expected = algorithm.networks(
    networkContext(spec, { observation_space, action_space }, { network }, hyperparameters),
  );
  const critics = Object.keys(expected).filter((name) => /^critic_\d+$/.test(name));
  const given: Given[] = [];
  if (actor_network) given.push({ option: "actor_network", name: "actor", module: actor_network });
  if (critic_network) {
    if (!expected.critic) throw noCritic("critic_network", spec.name, critics);
    given.push({ option: "critic_network", name: "critic", module: critic_network });
  }
  if (critic_networks) {
    if (critics.length === 0) throw noCritic("critic_networks", spec.name, expected.critic ? ["critic"] : []);
    if (critic_networks.length !== critics.length) {
      throw new RangeError(
        `critic_networks: found ${critic_networks.length} modules, allowed ${critics.length} (${critics.join(", ")})`,
      );
    }
    critics.forEach((name, i) => {
      const option = `critic_networks[${i}]`;
      given.push({ option, name, module: critic_networks[i] as EvolvableModule });
    });
  }
  return Object.fromEntries(
    given.map(({ option, name, module }) => [
      name,
      // Every name is a key of `expected`: critics were checked above, and every algorithm has an actor.
      fitted(option, module, expected[name] as NetworkData, observation_space),
    ]),
  );
}

function noCritic(option: string, algorithm: string, critics: readonly string[]): RangeError {
  const advice =
    critics.length > 1
      ? `give critic_networks, one for each of ${critics.join(", ")}`
      : critics.length === 1
        ? "give critic_network"
        : "leave it out";
  return new RangeError(`${option}: ${algorithm} has no such critic; ${advice}`);
}

/**
 * The network state of a module that replaces one of the algorithm's networks.
 * @throws RangeError naming the option whose module does not fit.
 */
function fitted(option: string, module: EvolvableModule, data: NetworkData, observed: Space): NetworkState {
  const { kind, head } = data;
  try {
    requireNoMemory(module.data);
    if (kind === "deterministic_actor") requireBounds(module.data);
    requireImage(module.data, observed);
    const inputs = flatSize(observed);
    const sizes = { inputs, actions: actionsBeside(data, inputs), outputs: head.outputs };
    const atoms = kind === "rainbow_q" ? { num_atoms: atomsOf(data) } : {};
    const { distribution, box_actions } = data;
    const network = moduleNetwork(module, { kind, ...sizes, distribution, box_actions, ...atoms });
    requireParts(module.data, observed, sizes.actions);
    return network;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RangeError(`${option}: ${reason}`, { cause: error });
  }
}

/** A module for each key, or a list of modules for a key with several critics. */
type ModulesByKey = Readonly<Record<string, EvolvableModule | readonly EvolvableModule[]>>;

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
