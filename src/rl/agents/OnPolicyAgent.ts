/** Agents that learn from roll-outs of their present policy. */
import type { WasmArena } from "../../kernels/wasm/device.ts";
import { type Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import { RolloutCheck, requireRolloutFields } from "../buffers/RolloutCheck.ts";
import { writeRollout } from "../buffers/writeRollout.ts";
import {
  emptyHiddenState,
  type HiddenState,
  hiddenSizes,
  requireHiddenState,
  withoutEnded,
} from "../member/hiddenState.ts";
import { memoryBuffer } from "../programs/memory.ts";
import { LEAST_ROLLOUT, rolloutSizes } from "../runtime/rolloutSizes.ts";
import { type ActingOptions, type Observation, SingleAgentAlgorithm } from "./SingleAgentAlgorithm.ts";

/** Actions drawn from the policy, with what learning from them needs. */
export interface SampledActions {
  /** As the policy drew them: positions of choices, or numbers before they were clipped or scaled. */
  readonly action: Int32Array | Float32Array;
  /** As the environment takes them. */
  readonly applied: Int32Array | Float32Array;
  /** Logarithm of their probability (density), one for each observation. */
  readonly log_prob: Float32Array;
  /** What a recurrent policy remembers after the step; empty without memory. */
  readonly hidden_state: HiddenState;
}

/** An agent of one algorithm, told from those of others by its name. */
export type OnPolicyAgentOf<Algo extends string> = OnPolicyAgent<Algo> & { readonly algo: Algo };

/**
 * Base of agents of on-policy algorithms. A recurrent one (`recurrent: true`) remembers each environment from one call to
 * the next, until `resetHiddenState`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "PPO", observation_space, action_space, population_size: 1 });
 * console.log(agent instanceof OnPolicyAgent); // true
 * ```
 */
export abstract class OnPolicyAgent<Algo extends string = string> extends SingleAgentAlgorithm {
  #buffer: RolloutBuffer | null = null;
  #hidden: HiddenState | null = null;
  readonly #check = new RolloutCheck(this);

  abstract override clone(index?: number): OnPolicyAgentOf<Algo>;

  /** Holds ceil(learn_step / num_envs) vector steps, two where that would be one step in all; made when first asked for, replaced by setting it. */
  get rollout_buffer(): RolloutBuffer {
    this.#buffer ??= this.makeBuffer(Number(this.hyperparameters.num_envs));
    return this.#buffer;
  }

  set rollout_buffer(buffer: RolloutBuffer) {
    this.#buffer = buffer;
  }

  /** A buffer for `num_envs` environments side by side, as `learn_step` says. */
  makeBuffer(num_envs: number): RolloutBuffer {
    const { observation_space, action_space } = this;
    const { horizon } = rolloutSizes(this.state, num_envs);
    const hidden_sizes = hiddenSizes(this.state);
    return new RolloutBuffer({ capacity: horizon, num_envs, observation_space, action_space, hidden_sizes });
  }

  /**
   * What it remembers of `num_envs` environments, each of which is what it acted on last in that place; of new
   * episodes where it has not acted on so many. Empty without memory.
   */
  hiddenState(num_envs = 1): HiddenState {
    const empty = emptyHiddenState(this.state, num_envs);
    const kept = this.#hidden;
    const fits = kept && Object.entries(empty).every(([name, { length }]) => kept[name]?.length === length);
    return fits ? kept : empty;
  }

  /** Forgets all environments, or those whose episode ended (1 in `done` [num_envs]). */
  override resetHiddenState(done?: ArrayLike<number>): void {
    this.#hidden = done && this.#hidden ? withoutEnded(this.#hidden, done) : null;
  }

  /** A draw from the policy; with `training: false` its mode. */
  override getAction(
    observation: Observation,
    options: ActingOptions = {},
  ): number | Float32Array | Int32Array {
    if (options.training === false) return this.greedyAction(observation, options);
    return this.actionOf(this.sampleAction(observation, options).applied, options);
  }

  /** Draws from the policy for one observation or, with `num_envs`, for several, as arrays either way. */
  sampleAction(observation: Observation, options: Omit<ActingOptions, "training"> = {}): SampledActions {
    const { arena } = this.present("act", observation, options);
    const hidden_state = this.#remembering(arena, options, () => this.session.run("act"));
    const read = (name: string) => arena.read(`act.${name}`) as Float32Array | Int32Array;
    return {
      action: read("action"),
      applied: read("applied"),
      log_prob: read("log_prob") as Float32Array,
      hidden_state,
    };
  }

  protected override greedyAction(
    observation: Observation,
    options: ActingOptions,
  ): number | Float32Array | Int32Array {
    const { arena } = this.present("greedy", observation, options);
    this.#remembering(arena, options, () => this.session.run("greedy"));
    return this.actionOf(arena.read("act.greedy") as Float32Array | Int32Array, options);
  }

  /** Runs a program that acts with what is remembered; what is remembered after it. */
  #remembering(
    arena: WasmArena,
    { num_envs = 1, hidden_state }: ActingOptions,
    run: () => void,
  ): HiddenState {
    if (hidden_state) requireHiddenState(this.state, num_envs, hidden_state);
    const before = hidden_state ?? this.hiddenState(num_envs);
    // Acting greedily needs the policy's memory only.
    const names = Object.keys(before).filter((name) => arena.has(memoryBuffer(name)));
    for (const name of names) arena.write(memoryBuffer(name), before[name] as Float32Array);
    run();
    const read = names.map((name) => [name, arena.read(memoryBuffer(name)) as Float32Array]);
    const after: HiddenState = { ...before, ...Object.fromEntries(read) };
    if (!hidden_state) this.#hidden = after;
    return after;
  }

  /**
   * One learning phase over a roll-out of [steps, num_envs]: `update_epochs` passes of minibatches. Advantages are scaled
   * to mean 0 and deviation 1 over the whole roll-out, never over a minibatch, which may have one step; a roll-out needs
   * two.
   * @returns the algorithm's metrics (of PPO loss, policy_loss, value_loss and entropy_loss), averaged over the learning steps.
   * @throws TypeError or RangeError naming the field that does not fit, with its step and lane.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    const rollout = experiences instanceof RolloutBuffer ? experiences.stored() : experiences;
    requireRolloutFields("rollout", rollout, ["num_envs", "packing"]);
    const { num_envs, reward } = rollout;
    const horizon = reward.length / num_envs;
    if (!Number.isInteger(horizon) || horizon < 1) {
      throw new RangeError(
        `learn: found ${reward.length} rewards of ${num_envs} environments, allowed one for each environment and step`,
      );
    }
    const fault = this.#check.fault(rollout);
    if (fault) {
      const [step, lane] = [Math.floor(fault.row / num_envs), fault.row % num_envs];
      throw new RangeError(`rollout.${fault.field} of step ${step}, lane ${lane}: ${fault.message}`);
    }
    if (reward.length < LEAST_ROLLOUT) {
      throw new RangeError(
        `learn: found a roll-out of ${reward.length} step in ${num_envs} environment, allowed at least ${LEAST_ROLLOUT} (steps x environments): one advantage has no deviation to be scaled by; collect more steps before learning`,
      );
    }
    const { arena } = this.session.open(["learn"], rolloutSizes(this.state, num_envs, horizon));
    const { observation_space } = this;
    writeRollout(arena, rollout, { observation_space, hidden: Object.keys(hiddenSizes(this.state)) });
    return this.session.learn();
  }
}
