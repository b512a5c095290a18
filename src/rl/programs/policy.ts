/**
 * The greedy policy as a program of its own, from raw observations to actions: the computation of an exported
 * model. Beside it, the value that an agent expects from an observation.
 */
import {
  cast,
  concat,
  type Dim,
  max,
  type Program,
  reshape,
  slice,
  state,
  sym,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import { actionType } from "../contract/choices.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import { type Networks, networkNamed } from "../contract/network.ts";
import { memberOf, rowsOf, type TeamKey, teamOf } from "../contract/team.ts";
import { isRounded, networkMemory } from "../networks/index.ts";
import { type AgentSpaces, Agents, agentChoices, choicesOf, describeSpace, type Space } from "../spaces.ts";
import { greedyAction } from "./episodes.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep, memoryStates } from "./memory.ts";

/** Name of an agent's value: with the agent's id when there are several agents, else the plain name. */
type NameOf = (value: string, agent: string) => string;

const ofEach: NameOf = (value, agent) => `${value}.${agent}`;
const ofOne: NameOf = (value) => value;

/** Concatenates one or more tensors. */
const sideBySide = (parts: readonly Tensor[]): Tensor =>
  parts.length === 1 ? (parts[0] as Tensor) : concat([...parts]);

/**
 * Reads observations [n, ...] from the state "observation", or from "observation.<key>" for each part of a
 * Dict or Tuple. For several agents, reads "observation.<agent>" in the same way.
 */
function readObservation(space: Space, n: Dim, nameOf: NameOf): Tensor {
  if (space.kind !== "Agents") return readParts(space, n, "observation");
  return sideBySide(
    space.agents.map(({ id, space: own, size }) =>
      reshape(readParts(own, n, nameOf("observation", id)), [n, size]),
    ),
  );
}

function readParts(space: Space, n: Dim, name: string): Tensor {
  if (space.kind !== "Dict" && space.kind !== "Tuple") return state(name, [n, ...space.shape]).read();
  return concat(
    space.parts.map(({ key, space: part, size }) =>
      reshape(state(`${name}.${key}`, [n, ...part.shape]).read(), [n, size]),
    ),
  );
}

/** "h0" of "actor.encoder.h0"; unique, because only the policy has recurrent state. */
const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const write = (name: string, value: Tensor): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

/**
 * Reads the legal choices [n, choices] from the state "action_mask"; those of several agents are joined in
 * order.
 */
function readMask({ action_space }: AgentSpaces, n: Dim, nameOf: NameOf): Tensor {
  const choices = choicesOf(action_space);
  if (choices === 0)
    throw new RangeError(
      `mask: found actions ${describeSpace(action_space)}, allowed Discrete, MultiDiscrete and MultiBinary ones`,
    );
  if (action_space.kind !== "Agents") return state("action_mask", [n, choices]).read();
  const masks = agentChoices(action_space).map(({ id, size }) =>
    state(nameOf("action_mask", id), [n, size]).read(),
  );
  return sideBySide(masks);
}

/**
 * Writes actions as the environment takes them: for several agents one state each. Choices and rounded
 * numbers of a Box are integers.
 */
function writeAction(
  { algorithm: { policy } }: AgentStructure,
  networks: Networks,
  { observation_space, action_space }: AgentSpaces,
  action: Tensor,
  nameOf: NameOf,
): void {
  const whole = (space: Space, actor: string) =>
    space.kind === "Box" ? isRounded(space, networkNamed(networks, actor).data) : actionType(space) === "i32";
  const typed = (numbers: Tensor, isInteger: boolean) => (isInteger ? cast(numbers, "i32") : numbers);
  if (action_space.kind !== "Agents") return write("action", typed(action, whole(action_space, policy)));
  const team = teamOf({ observation_space, action_space });
  const n = action.shape[0] as Dim;
  for (const { id, space, start, size } of action_space.agents) {
    const key = team.find(({ agents }) => agents.some((mate) => mate.id === id))?.key ?? id;
    const numbers = reshape(slice(action, start, size), [n, ...space.shape]);
    write(nameOf("action", id), typed(numbers, whole(space, memberOf(policy, key))));
  }
}

/** Writes the policy outputs (such as logits) of a key's agents, from the network inputs of all agents. */
function writeRows(
  { algorithm }: AgentStructure,
  networks: Networks,
  key: TeamKey,
  obs: Tensor,
  nameOf: NameOf,
) {
  const network = networkNamed(networks, memberOf(algorithm.policy, key.key));
  const latent = network.encode(rowsOf(key, obs, (mate) => mate.obs));
  const rows = algorithm.policyOutputs?.({ [algorithm.policy]: network }, latent) ?? {};
  const n = obs.shape[0] as Dim;
  for (const [value, all] of Object.entries(rows)) {
    const size = all.shape[1] as number;
    const sides = reshape(all, [n, key.agents.length * size]);
    for (const [i, { id }] of key.agents.entries()) write(nameOf(value, id), slice(sides, i * size, size));
  }
}

export interface PolicyOptions {
  /** Whether the policy reads a mask of legal choices (default: false, every choice is legal). */
  readonly mask?: boolean;
  /**
   * For several agents: the key of one set of networks to export alone, as a single agent (default: all
   * agents).
   */
  readonly agent?: string | null;
}

/** The spaces of each agent of a key. @throws RangeError when no networks have that key. */
export function spacesOfKey({ algorithm }: AgentStructure, spaces: AgentSpaces, agent: string) {
  if (!algorithm.multi_agent)
    throw new RangeError(`agent: found "${agent}", allowed none: ${algorithm.name} trains one agent`);
  const team = teamOf(spaces);
  const found = team.find(({ key }) => key === agent);
  if (found) return { observation_space: found.observation_space, action_space: found.action_space };
  const group = team.find(({ agents }) => agents.some(({ id }) => id === agent));
  const advice = group ? `; agents of the group "${group.key}" share networks` : "";
  throw new RangeError(`agent: found "${agent}", allowed ${team.map(({ key }) => key).join(", ")}${advice}`);
}

/** A team of one agent, whose id is the key of its networks. */
const aloneAs = (key: string, own: ReturnType<typeof spacesOfKey>): AgentSpaces => ({
  observation_space: new Agents({ [key]: own.observation_space }),
  action_space: new Agents({ [key]: own.action_space }),
});

/**
 * Writes `action` as the environment takes it, and the outputs that it was chosen from, unmasked, under the
 * algorithm's own names. For several agents, each name ends in the agent's id (`action.speaker_0`). With a
 * mask, the program reads which choices are legal (1) from `action_mask` [n, choices]. A recurrent policy
 * reads the hidden and cell states of its layers from `h0`, `c0`, ... [n, width], and writes those after the
 * step to `next_h0`, `next_c0`, ...
 * @throws RangeError for a mask when the actions are not choices, and for an agent that has no networks.
 */
export function policyProgram(
  structure: AgentStructure,
  spaces: AgentSpaces,
  { mask: masked = false, agent = null }: PolicyOptions = {},
): Program {
  const { algorithm } = structure;
  const layout = agent === null ? spaces : aloneAs(agent, spacesOfKey(structure, spaces, agent));
  const nameOf = agent === null ? ofEach : ofOne;
  return trace(`${algorithm.name}.policy`, () => {
    const batch = sym(SYMBOLS.batch);
    const { observation_space } = layout;
    const obs = networkInput(structure, observation_space, readObservation(observation_space, batch, nameOf));
    const mask = masked ? readMask(layout, batch, nameOf) : undefined;
    const names = agent === null ? algorithm.policies : [memberOf(algorithm.policy, agent)];
    const networks = readNetworks(structure, names);
    const buffers = memoryStates(networks, [batch], shortName);
    const memory = Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, buffer.read()]));
    if (algorithm.multi_agent) {
      for (const key of teamOf(layout)) writeRows(structure, networks, key, obs, nameOf);
    } else {
      const { latents } = encodeStep(algorithm, networks, obs, layout, memory);
      const outputs = algorithm.policyOutputs?.(networks, latents(algorithm.policy)) ?? {};
      for (const [name, value] of Object.entries(outputs)) write(name, value);
    }
    const greedy = greedyAction(algorithm, networks, { obs, memory, mask }, layout);
    writeAction(structure, networks, layout, greedy.action, nameOf);
    for (const [name, value] of Object.entries(greedy.memory)) write(`next_${shortName(name)}`, value);
  });
}

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

/** The returns that a Q-learner expects of all actions, [n, actions]. */
export function ratings(
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
