/** Collects rollouts in environments that the host steps, and the result of a turn of them. */
import {
  type AnyVectorEnvironment,
  endedLanes,
  type Info,
  infoMasks,
  leftAfter,
  type VectorEnvironment,
} from "../../rl/faces.ts";
import { show } from "../../specs/messages.ts";
import type { OnPolicyAgent, OnPolicyTeam } from "../classes/OnPolicyAgent.ts";
import { drain, type Slice, settled } from "../runtime/turn.ts";
import { resetLanes, stepLanes } from "../runtime/wasm/hostLanes.ts";

/** Options of a rollout collector. The first four describe the end of the previous rollout. */
export interface CollectOptions {
  /** Observations to act on, [num_envs, ...]. If unset, the environments are reset. */
  readonly last_obs?: Float32Array;
  /** 1 where an episode ended in the last step, [num_envs]. */
  readonly last_done?: Uint8Array;
  /** Returns so far of the running episodes, [num_envs]. */
  readonly last_scores?: Float32Array;
  /** The infos returned with `last_obs`, one per environment. */
  readonly last_info?: readonly Info[];
  readonly agent: OnPolicyAgent;
  readonly env: VectorEnvironment;
  /** Vector steps to take. */
  readonly n_steps: number;
}

/**
 * Returns of the finished episodes, then the observations, `done` flags, running returns and infos after the
 * last step.
 */
export type CollectResult = readonly [
  scores: readonly number[],
  last_obs: Float32Array,
  last_done: Uint8Array,
  last_scores: Float32Array,
  last_info: readonly Info[],
];

/** Fills `agent.rollout_buffer`, which is empty at the call, with `n_steps` vector steps. */
export type CollectRollouts = (options: CollectOptions) => CollectResult;

/** A collector's options, for single agents and teams. */
export interface RolloutOptions extends Omit<CollectOptions, "agent" | "env"> {
  readonly agent: OnPolicyAgent | OnPolicyTeam;
  readonly env: AnyVectorEnvironment;
  /**
   * For several agents: 1 for those that have left the running episode, [num_envs, agents] (default: none).
   */
  readonly last_left?: Uint8Array | null;
  /** Counts every step, if the turn tells its episodes. */
  readonly episodes?: { step(reward: Float32Array, ended: Uint8Array): void } | null;
}

/** The sum of the rewards of a lane's agents. */
export function rewardIn(reward: Float32Array, lane: number, num_envs: number): number {
  const agents = reward.length / num_envs;
  return reward.subarray(lane * agents, (lane + 1) * agents).reduce((a, b) => Math.fround(a + b));
}

const NO_WORK: Slice = { env_steps: 0, learn_steps: 0 };

/** The default collector, one step at a time. Returns its result, and which agents have left. */
export function* rolloutSteps(
  options: RolloutOptions,
): Generator<Slice, readonly [...CollectResult, last_left: Uint8Array | null]> {
  const { agent, env, n_steps } = options;
  const { num_envs } = env;
  const start = options.last_obs ? null : yield* settled(resetLanes(env));
  let obs = options.last_obs ?? start?.observation ?? new Float32Array(0);
  let info = options.last_info ?? start?.info ?? [];
  let done = options.last_done ?? new Uint8Array(num_envs);
  const scores = options.last_scores?.slice() ?? new Float32Array(num_envs);
  const finished: number[] = [];
  const buffer = agent.rollout_buffer;
  let left = options.last_left ?? null;
  for (let t = 0; t < n_steps; t++) {
    const action_mask = infoMasks(env.single_action_space, info, left);
    const hidden_state = agent.hiddenState(num_envs);
    const { action, applied, log_prob } = agent.sampleAction(obs, { num_envs, action_mask });
    const next = yield* settled(stepLanes(env, applied));
    const { reward, terminated, final_observation: next_obs } = next;
    const present = left?.map((gone) => 1 - gone) ?? null;
    done = endedLanes(next);
    const rows = { obs, next_obs, action, log_prob, reward, terminated, done, present };
    buffer.add({ ...rows, action_mask, hidden_state });
    agent.resetHiddenState(done);
    left = leftAfter(next, done);
    options.episodes?.step(reward, done);
    for (let lane = 0; lane < num_envs; lane++) {
      const score = Math.fround((scores[lane] as number) + rewardIn(reward, lane, num_envs));
      if (done[lane]) finished.push(score);
      scores[lane] = done[lane] ? 0 : score;
    }
    obs = next.observation;
    info = next.info;
    yield NO_WORK;
  }
  return [finished, obs, done, scores, info, left];
}

/**
 * The default collector: samples from the policy, with the masks that environments return in
 * `info.action_mask`. A recurrent policy's state carries over from the previous rollout, and is reset in
 * lanes whose episode ended.
 *
 * @example
 * ```ts
 * const env = makeVector("CartPole-v1", 8);
 * const { single_observation_space: observation_space, single_action_space: action_space } = env;
 * const pop = createPopulation({ algorithm: "PPO", observation_space, action_space, population_size: 2 });
 * await trainOnPolicy({
 *   env,
 *   env_name: "CartPole-v1",
 *   algo: "PPO",
 *   pop,
 *   collect_rollouts_fn: (options) => collectRollouts(options),
 * });
 * ```
 */
export const collectRollouts: CollectRollouts = (options) => {
  const [scores, last_obs, last_done, last_scores, last_info] = drain(rolloutSteps(options));
  return [scores, last_obs, last_done, last_scores, last_info];
};

const PARTS = ["scores", "last_obs", "last_done", "last_scores", "last_info"] as const;

const isList = (value: unknown): boolean =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);

const describe = (value: unknown): string =>
  value instanceof Promise ? "a promise" : ArrayBuffer.isView(value) ? value.constructor.name : show(value);

/**
 * Checks the result of a caller's rollout collector.
 * @throws TypeError unless the result is the five lists that a collector returns.
 * @internal
 */
export function requireCollected(result: unknown): CollectResult {
  const allowed = `allowed [${PARTS.join(", ")}], as collectRollouts returns them${
    result instanceof Promise ? ": collectors are not awaited" : ""
  }`;
  if (!Array.isArray(result) || result.length !== PARTS.length)
    throw new TypeError(`collect_rollouts_fn: returned ${describe(result)}, ${allowed}`);
  const wrong = PARTS.findIndex((_part, i) => !isList(result[i]));
  if (wrong >= 0) {
    const found = `${describe(result[wrong])} as ${PARTS[wrong]}`;
    throw new TypeError(`collect_rollouts_fn: returned ${found}, ${allowed}, each a list`);
  }
  return result as unknown as CollectResult; // Its five parts were just checked.
}
