/**
 * Several agents as columns of joint rows: the position of each agent's numbers in joint observations,
 * actions and masks, and which agents share networks. Rows concatenate the agents in the environment's order.
 */
import { concat, type Dim, divDim, mulDims, reshape, slice, type Tensor } from "../../kernels/index.ts";
import {
  type AgentSpaces,
  type Agents,
  choicesOf,
  describeSpace,
  flatSize,
  type SingleAgentSpace,
  type Space,
  spaceToJson,
} from "../spaces.ts";

/** Name of a family's network for a key, such as `actors.listener_0`; likewise of an optimiser. */
export const memberOf = (family: string, key: string): string => `${family}.${key}`;

/** Name of a metric of one key, such as `actor_loss/listener_0`. */
export const metricOf = (metric: string, key: string): string => `${metric}/${key}`;

/** Consecutive columns of a row. */
export interface Columns {
  readonly start: number;
  readonly size: number;
}

/** The positions of an agent's numbers in joint rows. */
export interface Teammate {
  readonly id: string;
  /** Its column in rewards, termination flags and other rows with one number per agent. */
  readonly index: number;
  /** Columns of network inputs. */
  readonly obs: Columns;
  /** Columns of the action's numbers, with choices as indices. */
  readonly action: Columns;
  /** Columns of the action as critics read it, with choices one-hot. */
  readonly one_hot: Columns;
  /** Columns of the action mask; size 0 if the action has no choices. */
  readonly mask: Columns;
}

/** Agents that share networks, and the key that names these networks. */
export interface TeamKey {
  readonly key: string;
  readonly agents: readonly Teammate[];
  /** Spaces of each of these agents. */
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
}

/** Group of an agent: its id up to the last "_". */
export const groupOf = (id: string): string => (id.includes("_") ? id.slice(0, id.lastIndexOf("_")) : id);

/**
 * Keys of networks, with their agents: groups if any group has two agents or more, otherwise single agents.
 */
export function keysOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) groups.set(groupOf(id), [...(groups.get(groupOf(id)) ?? []), id]);
  return groups.size < ids.length ? groups : new Map(ids.map((id) => [id, [id]]));
}

/** Returns both spaces as multi-agent spaces. @throws RangeError when they are not, or the agents differ. */
export function requireAgents({ observation_space, action_space }: AgentSpaces): {
  observed: Agents;
  acted: Agents;
} {
  if (observation_space.kind !== "Agents" || action_space.kind !== "Agents") {
    const [name, found] =
      observation_space.kind === "Agents"
        ? ["action_space", action_space]
        : ["observation_space", observation_space];
    throw new RangeError(
      `${name}: found ${describeSpace(found)}, allowed the spaces of several agents (Agents)`,
    );
  }
  const [seen, acting] = [observation_space.ids.join(", "), action_space.ids.join(", ")];
  if (seen !== acting)
    throw new RangeError(
      `action_space: found the agents ${acting}, allowed those of observation_space: ${seen}`,
    );
  return { observed: observation_space, acted: action_space };
}

const exactly = (space: Space): string => JSON.stringify(spaceToJson(space));
const sameSpace = (a: Space, b: Space): boolean => a === b || exactly(a) === exactly(b);

/** Descriptions of two different spaces; as JSON if their short descriptions are equal (e.g. bounds). */
function toldApart(a: Space, b: Space): readonly [string, string] {
  const [one, other] = [describeSpace(a), describeSpace(b)];
  return one === other ? [exactly(a), exactly(b)] : [one, other];
}

/** @throws RangeError naming the agent whose space differs from its group's. */
function requireSame(
  name: string,
  group: string,
  { spaces }: Agents,
  ids: readonly string[],
): SingleAgentSpace {
  const [first = ""] = ids;
  const shared = spaces[first] as SingleAgentSpace;
  for (const id of ids) {
    const own = spaces[id] as SingleAgentSpace;
    if (sameSpace(own, shared)) continue;
    const [found, allowed] = toldApart(own, shared);
    throw new RangeError(
      `${name}.${id}: found ${found}, allowed ${allowed}, the space of ${first}: agents of the group "${group}" share networks and must have equal spaces`,
    );
  }
  return shared;
}

/**
 * The agents of an environment, grouped by the networks that they share.
 * @throws RangeError when the spaces are not multi-agent, have different agents, or differ within a group.
 */
export function teamOf(spaces: AgentSpaces): readonly TeamKey[] {
  const { observed, acted } = requireAgents(spaces);
  const at = { obs: 0, action: 0, one_hot: 0, mask: 0 };
  const take = (kind: keyof typeof at, size: number): Columns => {
    const start = at[kind];
    at[kind] += size;
    return { start, size };
  };
  const mates = new Map(
    observed.agents.map(({ id, space }, index): [string, Teammate] => {
      const own = acted.spaces[id] as SingleAgentSpace;
      const action = own.shape.reduce((product, dim) => product * dim, 1);
      return [
        id,
        {
          id,
          index,
          obs: take("obs", flatSize(space)),
          action: take("action", action),
          one_hot: take("one_hot", flatSize(own)),
          mask: take("mask", choicesOf(own)),
        },
      ];
    }),
  );
  return [...keysOf(observed.ids)].map(([key, ids]) => ({
    key,
    agents: ids.map((id) => mates.get(id) as Teammate),
    observation_space: requireSame("observation_space", key, observed, ids),
    action_space: requireSame("action_space", key, acted, ids),
  }));
}

/** Columns of joint rows [n, *] for each agent of a key: [n agents, size], the agents of a row together. */
export function rowsOf({ agents }: TeamKey, joint: Tensor, columns: (mate: Teammate) => Columns): Tensor {
  const n = joint.shape[0] as Dim;
  const parts = agents.map((mate) => {
    const { start, size } = columns(mate);
    return slice(joint, start, size);
  });
  const { size } = columns(agents[0] as Teammate);
  const side = parts.length === 1 ? (parts[0] as Tensor) : concat(parts);
  return reshape(side, [mulDims(n, agents.length), size]);
}

/** The numbers of a key's agents in rows with one number per agent: [n, agents of the team] to [n agents]. */
export function numbersOf(key: TeamKey, joint: Tensor): Tensor {
  const rows = rowsOf(key, joint, ({ index }) => ({ start: index, size: 1 }));
  return reshape(rows, [rows.shape[0] as Dim]);
}

/** The inverse of `rowsOf`: joins all keys' rows [n agents, size] or [n agents] to f32 rows [n, *]. */
export function joint(team: readonly TeamKey[], of: (key: TeamKey) => Tensor): Tensor {
  const byIndex: Tensor[] = [];
  for (const key of team) {
    const rows = of(key);
    const size = rows.rank === 1 ? 1 : (rows.shape[1] as number);
    const n = divDim(rows.shape[0] as Dim, key.agents.length);
    const side = reshape(rows, [n, key.agents.length * size]);
    for (const [i, { index }] of key.agents.entries()) byIndex[index] = slice(side, i * size, size);
  }
  return byIndex.length === 1 ? (byIndex[0] as Tensor) : concat(byIndex);
}
