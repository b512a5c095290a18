/** Lanes of a compiled environment stepped side by side, with time limit and auto-reset, as tensors. */
import type { Dim, Tensor } from "../../../kernels/index.ts";
import {
  add,
  constant,
  state as declare,
  greaterEqual,
  or,
  reshape,
  select,
  zeros,
} from "../../../kernels/index.ts";
import { type CompiledEnvironment, type EnvState, variableShape } from "../definition/compiledEnvironment.ts";

/** What lives on from one step to the next. */
export interface EnvCarry {
  readonly state: EnvState;
  /** Steps taken in the episode under way, i32 [num_envs]. */
  readonly elapsed: Tensor;
}

export interface VectorStep {
  readonly carry: EnvCarry;
  /** Observation of the successor state, before any reset: what to bootstrap from. f32 [num_envs, ...]. */
  readonly next_obs: Tensor;
  /** Observation to act on next: the new episode's first one in lanes that ended. f32 [num_envs, ...]. */
  readonly obs: Tensor;
  /** f32 [num_envs]. */
  readonly reward: Tensor;
  /** The task ended, bool [num_envs]. */
  readonly terminated: Tensor;
  /** The time limit was reached (even if the task ended in the same step), bool [num_envs]. */
  readonly truncated: Tensor;
  /** Either: the lane was reset, bool [num_envs]. */
  readonly done: Tensor;
}

/** What lanes hold: `fresh` where the lane's flag (bool [num_envs]) is set, else `kept`. */
export function chooseLanes(flag: Tensor, fresh: Tensor, kept: Tensor): Tensor {
  const [n, ...rest] = kept.shape as [Dim, ...Dim[]];
  return select(rest.length === 0 ? flag : reshape(flag, [n, ...rest.map(() => 1)]), fresh, kept);
}

/** New episodes in every lane. `draws`: `env.resetDraws` tensors of uniform [0, 1), each f32 [num_envs]. */
export function vectorReset(
  env: CompiledEnvironment,
  draws: readonly Tensor[],
  num_envs: Dim,
): { carry: EnvCarry; obs: Tensor } {
  const state = env.reset(draws, num_envs);
  return { carry: { state, elapsed: zeros([num_envs], "i32") }, obs: env.observe(state) };
}

/** Uniform numbers of one vector step: for the dynamics, and for the lanes that start a new episode. */
export interface StepDraws {
  /** `env.stepDraws` tensors, each f32 [num_envs]. */
  readonly step: readonly Tensor[];
  /** `env.resetDraws` tensors, each f32 [num_envs]. */
  readonly reset: readonly Tensor[];
}

/** One step of every lane; lanes that end start a new episode in the same step. */
export function vectorStep(
  env: CompiledEnvironment,
  carry: EnvCarry,
  action: Tensor,
  draws: StepDraws,
): VectorStep {
  const { state, reward, terminated } = env.step(carry.state, action, draws.step);
  const elapsed = add(carry.elapsed, 1);
  const truncated = greaterEqual(elapsed, env.max_episode_steps);
  const done = or(terminated, truncated);
  const fresh = env.reset(draws.reset, carry.elapsed.shape[0] as Dim);
  const kept: Record<string, Tensor> = {};
  for (const name of env.variables)
    kept[name] = chooseLanes(done, fresh[name] as Tensor, state[name] as Tensor);
  return {
    carry: { state: kept, elapsed: select(done, constant(0, "i32"), elapsed) },
    next_obs: env.observe(state),
    obs: env.observe(kept),
    reward,
    terminated,
    truncated,
    done,
  };
}

/** The carry as a list, for the carry of a scan: the state's variables in order, then `elapsed`. */
export const flattenCarry = (env: CompiledEnvironment, carry: EnvCarry): Tensor[] => [
  ...env.variables.map((name) => carry.state[name] as Tensor),
  carry.elapsed,
];

/** The inverse of `flattenCarry`. */
export function unflattenCarry(env: CompiledEnvironment, list: readonly Tensor[]): EnvCarry {
  const size = env.variables.length;
  if (list.length !== size + 1)
    throw new RangeError(`${env.id}: a carry is ${size + 1} tensors, found ${list.length}`);
  return {
    state: Object.fromEntries(env.variables.map((name, i) => [name, list[i] as Tensor])),
    elapsed: list[size] as Tensor,
  };
}

/** The carry kept in named buffers of the program being traced: `<prefix>.<variable>` and `<prefix>.elapsed`. */
export function carryState(
  env: CompiledEnvironment,
  num_envs: Dim,
  prefix = "env",
): { read(): EnvCarry; write(carry: EnvCarry): void } {
  const buffers = [
    ...env.variables.map((name) => declare(`${prefix}.${name}`, [num_envs, ...variableShape(env, name)])),
    declare(`${prefix}.elapsed`, [num_envs], { dtype: "i32" }),
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
