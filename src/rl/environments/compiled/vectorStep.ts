/** Steps all lanes of a compiled environment as tensors, with time limit and auto-reset. */
import {
  add,
  broadcastTo,
  cast,
  concat,
  constant,
  type Dim,
  state as declare,
  greater,
  greaterEqual,
  maximum,
  or,
  reshape,
  select,
  slice,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { type Agents, elementSize } from "../../spaces.ts";
import { type CompiledEnvironment, type EnvState, variableShape } from "../definition/compiledEnvironment.ts";

/** The state that is carried from one step to the next. */
export interface EnvCarry {
  readonly state: EnvState;
  /** Steps taken in the current episode, i32 [num_envs]. */
  readonly elapsed: Tensor;
  /**
   * Multi-agent only: 1 for agents whose own task has ended in the current episode, f32 [num_envs, agents].
   */
  readonly left?: Tensor;
}

/** Agents of a multi-agent environment; undefined for a single-agent environment. */
const agentsOf = ({ observation_space }: CompiledEnvironment): Agents | undefined =>
  observation_space.kind === "Agents" ? observation_space : undefined;

export interface VectorStep {
  readonly carry: EnvCarry;
  /**
   * Observation of the successor state, before any reset, to bootstrap from. f32 [num_envs, ...]; zeros for
   * agents of a multi-agent environment whose task has ended in this step or an earlier one, as in later
   * observations.
   */
  readonly next_obs: Tensor;
  /** The successor state, before any reset. */
  readonly next_state: EnvState;
  /** Observation to act on next, f32 [num_envs, ...]: in ended lanes, the new episode's first observation. */
  readonly obs: Tensor;
  /** f32 [num_envs]; [num_envs, agents] for several agents, 0 for those that had already left. */
  readonly reward: Tensor;
  /**
   * The task ended, bool [num_envs]; for several agents [num_envs, agents], in this step or an earlier one.
   */
  readonly terminated: Tensor;
  /** The time limit was reached (even if the task ended in the same step), bool [num_envs]. */
  readonly truncated: Tensor;
  /** The task of all agents ended, or the time limit was reached: the lane was reset, bool [num_envs]. */
  readonly done: Tensor;
  /** Multi-agent only: 1 for agents that took part in the step, f32 [num_envs, agents]. */
  readonly present?: Tensor;
}

/** Selects `fresh` in lanes whose flag (bool [num_envs]) is set, otherwise `kept`. */
export function chooseLanes(flag: Tensor, fresh: Tensor, kept: Tensor): Tensor {
  const [n, ...rest] = kept.shape as [Dim, ...Dim[]];
  return select(rest.length === 0 ? flag : reshape(flag, [n, ...rest.map(() => 1)]), fresh, kept);
}

/** Starts an episode in every lane. `draws`: `env.resetDraws` uniform [0, 1) tensors, f32 [num_envs] each. */
export function vectorReset(
  env: CompiledEnvironment,
  draws: readonly Tensor[],
  num_envs: Dim,
): { carry: EnvCarry; obs: Tensor } {
  const state = env.reset(draws, num_envs);
  const agents = agentsOf(env);
  const carry = {
    state,
    elapsed: zeros([num_envs], "i32"),
    ...(agents && { left: zeros([num_envs, agents.ids.length]) }),
  };
  return { carry, obs: env.observe(state) };
}

/** Uniform [0, 1) numbers for one vector step: for the dynamics, and for lanes that start a new episode. */
export interface StepDraws {
  /** `env.stepDraws` tensors, each f32 [num_envs]. */
  readonly step: readonly Tensor[];
  /** `env.resetDraws` tensors, each f32 [num_envs]. */
  readonly reset: readonly Tensor[];
}

/** Observations or actions with zeros for agents that have left (`left`: f32 [num_envs, agents]). */
export function withoutLeft(agents: Agents, rows: Tensor, left: Tensor): Tensor {
  const n = rows.shape[0] as Dim;
  const stays = agents.agents.map(({ space }, i) =>
    broadcastTo(sub(1, slice(left, i, 1)), [n, elementSize(space)]),
  );
  return select(greater(concat(stays), 0), rows, 0);
}

/** Observations of all lanes, f32 [num_envs, ...], with zeros for agents that have left. */
export function observed(env: CompiledEnvironment, { state, left }: EnvCarry): Tensor {
  const agents = agentsOf(env);
  const obs = env.observe(state);
  return agents && left ? withoutLeft(agents, obs, left) : obs;
}

/** One step of the dynamics in every lane, without time limit, reset, or agents that had already left. */
export function dynamicsStep(
  env: CompiledEnvironment,
  { state: before, left }: Pick<EnvCarry, "state" | "left">,
  action: Tensor,
  draws: readonly Tensor[],
) {
  const { action_space } = env;
  const taken = action_space.kind === "Agents" && left ? withoutLeft(action_space, action, left) : action;
  const { state, reward, terminated } = env.step(before, taken, draws);
  const agents = agentsOf(env);
  if (!agents || !left) return { state, reward, terminated, ended: terminated };
  const present = sub(1, left);
  const gone = maximum(left, cast(terminated, "f32"));
  const ended = greaterEqual(sum(gone), agents.ids.length);
  return {
    state,
    reward: select(greater(present, 0), reward, 0),
    terminated: greater(gone, 0),
    ended,
    present,
    gone,
  };
}

/** One step of every lane; lanes that end start a new episode in the same step. */
export function vectorStep(
  env: CompiledEnvironment,
  carry: EnvCarry,
  action: Tensor,
  draws: StepDraws,
): VectorStep {
  const { state, reward, terminated, ended, present, gone } = dynamicsStep(env, carry, action, draws.step);
  const elapsed = add(carry.elapsed, 1);
  const truncated = greaterEqual(elapsed, env.max_episode_steps);
  const done = or(ended, truncated);
  const fresh = env.reset(draws.reset, carry.elapsed.shape[0] as Dim);
  const kept: Record<string, Tensor> = {};
  for (const name of env.variables)
    kept[name] = chooseLanes(done, fresh[name] as Tensor, state[name] as Tensor);
  const left = gone && chooseLanes(done, constant(0), gone);
  return {
    carry: { state: kept, elapsed: select(done, constant(0, "i32"), elapsed), ...(left && { left }) },
    next_obs: observed(env, { state, elapsed, ...(gone && { left: gone }) }),
    next_state: state,
    obs: observed(env, { state: kept, elapsed, ...(left && { left }) }),
    reward,
    terminated,
    truncated,
    done,
    ...(present && { present }),
  };
}

/** The carry as a list, for a scan: the state's variables in order, `elapsed`, and `left` if present. */
export const flattenCarry = (env: CompiledEnvironment, carry: EnvCarry): Tensor[] => [
  ...env.variables.map((name) => carry.state[name] as Tensor),
  carry.elapsed,
  ...(carry.left ? [carry.left] : []),
];

/** How many tensors a flattened carry has. */
export const carrySize = (env: CompiledEnvironment): number => env.variables.length + (agentsOf(env) ? 2 : 1);

/** The inverse of `flattenCarry`. */
export function unflattenCarry(env: CompiledEnvironment, list: readonly Tensor[]): EnvCarry {
  const size = env.variables.length;
  if (list.length !== carrySize(env))
    throw new RangeError(`${env.id}: a carry is ${carrySize(env)} tensors, found ${list.length}`);
  const left = list[size + 1];
  return {
    state: Object.fromEntries(env.variables.map((name, i) => [name, list[i] as Tensor])),
    elapsed: list[size] as Tensor,
    ...(left && { left }),
  };
}

/**
 * Stores the carry in named buffers of the program being traced: `<prefix>.<variable>`, `<prefix>.elapsed`,
 * `<prefix>.left`.
 */
export function carryState(
  env: CompiledEnvironment,
  num_envs: Dim,
  prefix = "env",
): { read(): EnvCarry; write(carry: EnvCarry): void } {
  const agents = agentsOf(env);
  const buffers = [
    ...env.variables.map((name) => declare(`${prefix}.${name}`, [num_envs, ...variableShape(env, name)])),
    declare(`${prefix}.elapsed`, [num_envs], { dtype: "i32" }),
    ...(agents ? [declare(`${prefix}.left`, [num_envs, agents.ids.length])] : []),
  ];
  return {
    read: () =>
      unflattenCarry(
        env,
        buffers.map((buffer) => buffer.read()),
      ),
    write: (carry) => flattenCarry(env, carry).forEach((value, i) => buffers[i]?.write(value)),
  };
}
