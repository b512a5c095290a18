import { memberOf, teamOf } from "../../rl/contract.ts";
import { atomsOf, type NetworkData } from "../../rl/networks.ts";
import { type AgentSpaces, describeSpace, flatSize, type Space } from "../../rl/spaces.ts";
import type { AgentState } from "./agentState.ts";
import { algorithmOf } from "./algorithmOf.ts";
import { requireImage, requireParts } from "./moduleFit.ts";
import { findAlgorithm } from "./registry.ts";

/**
 * Checks that an agent was made for these spaces.
 * @throws RangeError naming the space that its policy does not fit.
 */
export function requireOwnSpaces(state: AgentState, spaces: AgentSpaces): void {
  const { policy, multi_agent, networkSpaces } = findAlgorithm(state.algorithm);
  if (multi_agent) return requireOwnTeam(state, spaces);
  const { observation_space, action_space } = networkSpaces?.(spaces) ?? spaces;
  const data = state.networks[policy]?.data;
  if (!data) throw new RangeError(`${state.algorithm}.state: has no network ${policy}; use another state`);
  const refuse = (name: string, space: Space, has: string): never => {
    throw new RangeError(
      `${name}: found ${describeSpace(space)}, but the stored agent ${has}; give the space that it was trained with`,
    );
  };
  // A policy's only input is the observation.
  const reader = data.encoder === null || data.encoder === "shared" ? data.head : data.encoder;
  if (reader.inputs !== flatSize(observation_space))
    refuse("observation_space", observation_space, `reads ${reader.inputs} numbers`);
  try {
    requireImage(reader, observation_space);
    requireParts(reader, observation_space, 0);
  } catch (error) {
    refuse("observation_space", observation_space, `has ${error instanceof Error ? error.message : error}`);
  }
  const acts = actionsOf(data);
  if (acts !== actionsIn(action_space)) refuse("action_space", action_space, `has ${acts} as actions`);
}

/** Like {@link requireOwnSpaces}, for several agents. */
function requireOwnTeam(state: AgentState, spaces: AgentSpaces): void {
  const { policies, policy } = algorithmOf(state);
  const team = teamOf(spaces);
  const known = policies.map((name) => name.slice(policy.length + 1)).join(", ");
  const found = team.map(({ key }) => key).join(", ");
  if (known !== found)
    throw new RangeError(
      `observation_space: found networks for ${found}, but the stored agent has ${known}; give the spaces that it was trained with`,
    );
  for (const key of team) {
    const data = state.networks[memberOf(policy, key.key)]?.data as NetworkData;
    const reader = data.encoder === null || data.encoder === "shared" ? data.head : data.encoder;
    const refuse = (name: string, space: Space, has: string): never => {
      throw new RangeError(
        `${name}.${key.agents[0]?.id}: found ${describeSpace(space)}, but the stored agent ${has}; give the space that it was trained with`,
      );
    };
    if (reader.inputs !== flatSize(key.observation_space))
      refuse("observation_space", key.observation_space, `reads ${reader.inputs} numbers`);
    const acts = actionsOf(data);
    if (acts !== actionsIn(key.action_space))
      refuse("action_space", key.action_space, `has ${acts} as actions`);
  }
}

/** A policy's actions as text, for comparison with {@link actionsIn}. */
function actionsOf(data: NetworkData): string {
  const { kind, head, distribution } = data;
  switch (distribution?.kind) {
    case "multi_categorical":
      return `choices of ${distribution.nvec.join(", ")}`;
    case "bernoulli":
      return `${distribution.n} bits`;
    case "normal":
    case "squashed_normal":
      return `${distribution.size} numbers`;
    default:
      return kind === "deterministic_actor"
        ? `${head.outputs} numbers`
        : `${head.outputs / atomsOf(data)} choices`;
  }
}

/** A space's actions as text, for comparison with {@link actionsOf}. */
function actionsIn(space: Space): string {
  switch (space.kind) {
    case "Discrete":
      return `${space.n} choices`;
    case "MultiDiscrete":
      return `choices of ${space.nvec.join(", ")}`;
    case "MultiBinary":
      return `${flatSize(space)} bits`;
    default:
      return `${flatSize(space)} numbers`;
  }
}
