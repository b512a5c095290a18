/** The networks of an algorithm's agents, from one section of a manifest or from sections by the keys of networks. */
import { type AlgoSpec, algorithmDefinition } from "../../manifests/index.ts";
import { groupOf, type Hyperparameters, keysOf, type NetworkContext } from "../../rl/contract.ts";
import {
  isNetworkMap,
  jointSection,
  type NetworkMap,
  type NetworkSection,
  type NetworkSpec,
  type ResolvedNetwork,
  resolveNetwork,
} from "../../rl/networks.ts";
import {
  type AgentSpaces,
  describeSpace,
  imageLayout,
  isImage,
  observationKind,
  type Space,
} from "../../rl/spaces.ts";
import { dottedPath, SpecError } from "../../specs/checks.ts";
import type { NetworkMutationRanges } from "../../specs/sections.ts";

const refuse = (key: string, message: string): SpecError => {
  const segments = ["network", key];
  return new SpecError([{ code: "unknown_key", path: dottedPath(segments), segments, message }], "manifest");
};

interface Keyed {
  /** The key as written in the map. */
  readonly key: string;
  readonly section: NetworkSection;
}

/**
 * The sections of a map by the keys of networks; keys that the map leaves out have none. Where each agent has
 * its own networks, an agent that is alone in its group may also be given by the group's name.
 * @throws SpecError for an agent inside a group, an unknown key, and an agent that is given twice.
 */
export function keyedSections(map: NetworkMap, observed: Space): ReadonlyMap<string, Keyed> {
  if (observed.kind !== "Agents") {
    const [key = ""] = Object.keys(map);
    throw refuse(
      key,
      `found an agent's network, and one agent observes ${describeSpace(observed)}; give one network`,
    );
  }
  const keys = keysOf(observed.ids);
  const found = new Map<string, Keyed>();
  for (const [given, section] of Object.entries(map)) {
    const key = keyNamed(given, keys);
    const other = found.get(key);
    if (other)
      throw refuse(
        given,
        `found together with network.${other.key}, which is the same agent; leave one of them out`,
      );
    found.set(key, { key: given, section });
  }
  return found;
}

function keyNamed(given: string, keys: ReadonlyMap<string, readonly string[]>): string {
  if (keys.has(given)) return given;
  for (const [key, ids] of keys) {
    if (key !== groupOf(key) && groupOf(key) === given) return key;
    if (ids.includes(given))
      throw refuse(
        given,
        `found an agent of the group "${key}" (${ids.join(", ")}), whose agents share networks; give network.${key}`,
      );
  }
  throw refuse(given, `found no such agent or group, allowed ${[...keys.keys()].join(", ")}`);
}

/** Returns the result of `make`. Issues that it throws get paths below the section's key. */
function atKey<T>(key: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const issues = error.issues.map((issue) => {
      const [section, ...rest] = issue.segments;
      if (section !== "network") return issue;
      const segments = [section, key, ...rest];
      return { ...issue, segments, path: dottedPath(segments) };
    });
    throw new SpecError(issues, "manifest");
  }
}

/**
 * A manifest's network section: one for all networks, or a map of sections by agent. `null` means the
 * defaults.
 */
export type GivenNetwork = NetworkSection | NetworkSpec | NetworkMap | null;

/** Sources of a network's settings, in addition to its algorithm's. */
export interface NetworkSources {
  readonly network: GivenNetwork;
  /** `mutation.network` (default: none). */
  readonly ranges?: NetworkMutationRanges | null;
}

/** Least side of an image that has room for the default convolutions: two kernels of 3 x 3. */
const LEAST_SIDE = 5;

/** Whether the space is an image, such as a small board, that default convolutions do not fit into. */
export const isTiny = (space: Space): boolean =>
  space.kind === "Box" && isImage(space) && Math.min(...imageLayout(space).shape.slice(1)) < LEAST_SIDE;

/**
 * The resolved network of an algorithm's agents for an observation space.
 * @throws SpecError when the section does not fit the observations or the algorithm.
 */
const networkOf = (
  spec: AlgoSpec,
  observation_space: Space,
  network: NetworkSection | NetworkSpec | null,
  ranges: NetworkMutationRanges | null,
): ResolvedNetwork => {
  const given = { ...ranges?.encoder, ...(network as NetworkSection | null)?.encoder_config };
  const observation =
    isTiny(observation_space) && !("arch" in given || "kernel_size" in given)
      ? "vector"
      : observationKind(observation_space);
  const isJoint = observation_space.kind === "Agents" && observation === "mixed";
  return resolveNetwork(isJoint && network ? jointSection(network) : network, {
    criticHead: algorithmDefinition(spec.name).critic_head,
    ranges,
    observation,
    recurrent: "recurrent" in spec && spec.recurrent,
  });
};

/**
 * The context that an algorithm builds its networks from.
 * @throws SpecError when the keys of a network map do not match the agents. Reading the context's networks
 *   throws a SpecError when a section does not fit the observations or the algorithm.
 */
export function networkContext(
  spec: AlgoSpec,
  { observation_space, action_space }: AgentSpaces,
  { network, ranges = null }: NetworkSources,
  hyperparameters: Hyperparameters,
): NetworkContext {
  const keyed = isNetworkMap(network) ? keyedSections(network, observation_space) : null;
  const only = isNetworkMap(network) ? null : network;
  return {
    observation_space,
    action_space,
    hyperparameters,
    get network() {
      return networkOf(spec, observation_space, only, ranges);
    },
    networkFor: (key, observed) => {
      const own = keyed?.get(key);
      return own
        ? atKey(own.key, () => networkOf(spec, observed, own.section, ranges))
        : networkOf(spec, observed, only, ranges);
    },
  };
}
