/**
 * What a module must meet to replace a network from a specification, and a state to replace an agent's.
 */

import { memberOf, teamOf } from "../../rl/contract.ts";
import type { MultiInputData } from "../../rl/networks.ts";
import {
  ACTOR_OUTPUTS,
  atomsOf,
  definitionOf,
  type ModuleData,
  type NetworkData,
  type ObservationPart,
  observationParts,
} from "../../rl/networks.ts";
import {
  type AgentSpaces,
  describeSpace,
  flatSize,
  imageLayout,
  isImage,
  type Space,
  statisticsSizes,
} from "../../rl/spaces.ts";
import { show } from "../../specs/messages.ts";
import type { AgentState } from "./agentState.ts";
import { algorithmOf, findAlgorithm } from "./registry.ts";

/** @throws RangeError for a module with unbounded outputs, which cannot be scaled to actions. */
export function requireBounds(data: ModuleData): void {
  const found = "output_activation" in data ? data.output_activation : null;
  if (found !== null && ACTOR_OUTPUTS.includes(found)) return;
  throw new RangeError(
    `output_activation: found ${found === null ? "none" : show(found)}; the actions of a deterministic actor have bounds, allowed: ${ACTOR_OUTPUTS.join(", ")}`,
  );
}

/** @throws RangeError for a module that reads images of another shape than the observation. */
export function requireImage(data: ModuleData, observed: Space): void {
  if (!("input_shape" in data)) return;
  const found = data.input_shape.join(" x ");
  if (observed.kind !== "Box" || !isImage(observed)) {
    throw new RangeError(`found a module that reads images of ${found}, allowed one that reads vectors`);
  }
  const allowed = imageLayout(observed).shape.join(" x ");
  if (found !== allowed)
    throw new RangeError(
      `input_shape: found ${found}, allowed ${allowed} (channels x height x width of the observation)`,
    );
}

/** @throws RangeError for a recurrent module: only a recurrent policy carries its state from step to step. */
export function requireNoMemory(data: ModuleData): void {
  if (!definitionOf(data).recurrent) return;
  throw new RangeError(
    "found a recurrent module, allowed one without recurrent state: the state would be reset at every step; for a recurrent policy set recurrent: true (PPO, ES) and describe its encoder in network",
  );
}

/** Parts of an observation as text: "view: image 3 x 8 x 8, speed: 7". */
const describeParts = (parts: readonly ObservationPart[]): string =>
  parts
    .map((part) => `${part.key}: ${"image" in part ? `image ${part.image.join(" x ")}` : part.size}`)
    .join(", ");

/**
 * @throws RangeError for a module whose input parts differ from those of the observation. A critic of
 *   continuous actions may read the action as one more part.
 */
export function requireParts(data: ModuleData, observed: Space, actions: number): void {
  if (data.kind !== "multiinput") return;
  const found = describeParts(
    data.parts.map(({ key, size, cnn }) => (cnn ? { key, image: cnn.input_shape } : { key, size })),
  );
  if (observed.kind !== "Dict" && observed.kind !== "Tuple") {
    throw new RangeError(
      `found a module that reads parts (${found}), allowed one for ${describeSpace(observed)}`,
    );
  }
  const parts = describeParts(observationParts(observed));
  const fits = actions === 0 ? found === parts : found.startsWith(`${parts}, `) && actionIsVector(data.parts);
  if (fits) return;
  const action = actions === 0 ? "" : `, followed by the action's ${actions} numbers`;
  throw new RangeError(`observation_space: found parts ${found}; allowed ${parts}${action}`);
}

const actionIsVector = (parts: MultiInputData["parts"]): boolean => parts.at(-1)?.cnn === null;

/** @throws RangeError for running statistics of other numbers than those that agents of the spaces normalise. */
export function requireOwnStatistics({ normalization }: AgentState, spaces: AgentSpaces): void {
  if (!normalization) return;
  const sizes = statisticsSizes(spaces);
  for (const of of ["observations", "rewards"] as const) {
    const found = normalization[of]?.count.length ?? 0;
    const allowed = normalization.settings[of] ? sizes[of] : 0;
    if (found === allowed) continue;
    const space = `observation_space: found ${describeSpace(spaces.observation_space)}`;
    throw new RangeError(
      `${space}, of which ${allowed} numbers of ${of} are normalised, but the stored agent has statistics of ${found}; give the space that it was trained with`,
    );
  }
}

/**
 * Checks that an agent was made for these spaces.
 * @throws RangeError naming the space that its policy or its statistics do not fit.
 */
export function requireOwnSpaces(state: AgentState, spaces: AgentSpaces): void {
  requireOwnStatistics(state, spaces);
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
