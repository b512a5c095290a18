/** A rollout inside programs: its fields, and the buffers that a host fills with one. */
import { type DType, mulDims, reshape, type Shape, state, sym, type Tensor } from "../../kernels/index.ts";
import { actionType } from "../contract/choices.ts";
import type { Networks } from "../contract/network.ts";
import { type AgentSpaces, choicesOf, elementSize, type Space } from "../spaces.ts";
import { lanes } from "./lanes.ts";
import { type Memory, memoryBuffer, memoryStates } from "./memory.ts";
import { observationField } from "./replayFields.ts";
import { stateType, storedShape } from "./rowLayout.ts";

/**
 * Vector steps of a rollout: ceil(learn_step / num_envs), or two if the rollout would have a single step in
 * all.
 */
export const horizon = sym("horizon");
/** Environment steps of a rollout. */
export const samples = mulDims(horizon, lanes);

/** A rollout, step by step: every field is [horizon, num_envs, ...]. Observations are stored rows. */
export interface Rollout {
  readonly obs: Tensor;
  readonly next_obs: Tensor;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly done: Tensor;
  /** For several agents: 1 for those that took part in the step, [horizon, num_envs, agents]. */
  readonly present?: Tensor;
  /** 1 for legal choices; absent if all are. */
  readonly mask?: Tensor;
  /** Recurrent state before each step. */
  readonly memory: Memory;
}

const FIELDS = ["obs", "next_obs", "action", "log_prob", "reward", "terminated", "done"] as const;
export type RolloutField = (typeof FIELDS)[number] | "present";

/** The fields of a rollout in an environment. */
export const rolloutFields = ({ observation_space }: AgentSpaces): readonly RolloutField[] =>
  observation_space.kind === "Agents" ? [...FIELDS, "present"] : FIELDS;

/** Builds a rollout from a tensor for each field. */
export const rolloutOf = (
  layout: AgentSpaces,
  of: (field: RolloutField) => Tensor,
): Omit<Rollout, "memory"> => ({
  obs: of("obs"),
  next_obs: of("next_obs"),
  action: of("action"),
  log_prob: of("log_prob"),
  reward: of("reward"),
  terminated: of("terminated"),
  done: of("done"),
  ...(rolloutFields(layout).includes("present") && { present: of("present") }),
});

/** [horizon, num_envs, ...] to [horizon num_envs, ...]. */
export const flat = (x: Tensor): Tensor => reshape(x, [samples, ...x.shape.slice(2)]);

/** Shape of a value with one number per agent: [] for a single agent. */
const agentsIn = (space: Space): Shape => (space.kind === "Agents" ? [space.ids.length] : []);

/** Shape of an action in a rollout: [] for a Discrete space, else its numbers. */
const actionShape = (space: Space): Shape => (space.kind === "Discrete" ? [] : [elementSize(space)]);

/** Shape and type of a field in one step of one lane. */
export function rowOf(
  { observation_space, action_space }: AgentSpaces,
  field: RolloutField,
): { readonly shape: Shape; readonly dtype: DType } {
  const observation = observationField(observation_space);
  switch (field) {
    case "obs":
    case "next_obs":
      return { shape: storedShape(observation), dtype: stateType(observation) };
    case "action":
      return { shape: actionShape(action_space), dtype: actionType(action_space) };
    case "done":
      return { shape: [], dtype: "f32" };
    default:
      return { shape: agentsIn(observation_space), dtype: "f32" };
  }
}

/** Buffers `rollout.<field>` that the host fills before learning. */
export function rolloutStates(layout: AgentSpaces, networks: Networks): Rollout {
  const read = (field: RolloutField) => {
    const { shape, dtype } = rowOf(layout, field);
    return state(`rollout.${field}`, [horizon, lanes, ...shape], { dtype }).read();
  };
  const choices = choicesOf(layout.action_space);
  const mask = choices === 0 ? {} : { mask: state("rollout.mask", [horizon, lanes, choices]).read() };
  const remembered = memoryStates(networks, [horizon, lanes], (name) => `rollout.${memoryBuffer(name)}`);
  const memory = Object.fromEntries(
    Object.entries(remembered).map(([name, buffer]) => [name, buffer.read()]),
  );
  return { ...rolloutOf(layout, read), ...mask, memory };
}
