/** Sampling from an agent's current policy, and learning from its rollouts. */
import type { WasmArena } from "../../kernels/devices.ts";
import { scaleOf } from "../../rl/definitions.ts";
import { memoryBuffer } from "../../rl/programs.ts";
import { elementSize } from "../../rl/spaces.ts";
import { withFlatObservations } from "../buffers/experiences.ts";
import { requireRange } from "../buffers/policyRange.ts";
import { type Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import { RolloutCheck, requireRolloutFields, writeRollout } from "../buffers/RolloutCheck.ts";
import {
  emptyHiddenState,
  type HiddenState,
  hiddenSizes,
  requireHiddenState,
  withoutEnded,
} from "../member/agentState.ts";
import { LEAST_ROLLOUT, rolloutSizes } from "../runtime/programInputs.ts";
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";
import type { ActingRows, RowOptions } from "./ActingRows.ts";

/** Options that accompany the observations that an on-policy agent acts on. */
export interface SamplingOptions extends RowOptions {
  /** Recurrent state to act with, instead of the agent's own, which then does not change. */
  readonly hidden_state?: HiddenState;
}

/** Actions sampled from the policy, with the values that learning needs. */
export interface SampledActions {
  /** As sampled: indices of choices, or numbers before clipping or scaling. */
  readonly action: Int32Array | Float32Array;
  /** As the environment takes them. */
  readonly applied: Int32Array | Float32Array;
  /** Log probability (or log density) of each action, one per observation. */
  readonly log_prob: Float32Array;
  /** Recurrent state after the step; empty if no network is recurrent. */
  readonly hidden_state: HiddenState;
}

/** Range of a squashed Gaussian. */
const SQUASHED = [-1, 1] as const;

export class RolloutLearning {
  readonly #session: AgentSession;
  readonly #rows: ActingRows;
  readonly #check: RolloutCheck;
  #buffer: RolloutBuffer | null = null;
  #hidden: HiddenState | null = null;

  constructor(session: AgentSession, rows: ActingRows) {
    this.#session = session;
    this.#rows = rows;
    this.#check = new RolloutCheck(session.layout);
  }

  /**
   * Has room for ceil(learn_step / num_envs) vector steps, or two if that would be a single step in all.
   * Created on first access; set it to replace it.
   */
  get buffer(): RolloutBuffer {
    this.#buffer ??= this.makeBuffer(Number(this.#session.state.hyperparameters.num_envs ?? 1));
    return this.#buffer;
  }

  set buffer(buffer: RolloutBuffer) {
    this.#buffer = buffer;
  }

  /** A buffer for `num_envs` parallel environments, sized by `learn_step`. */
  makeBuffer(num_envs: number): RolloutBuffer {
    const { observation_space, action_space } = this.#session.layout;
    const { horizon } = rolloutSizes(this.#session.state, num_envs);
    const hidden_sizes = hiddenSizes(this.#session.state);
    return new RolloutBuffer({ capacity: horizon, num_envs, observation_space, action_space, hidden_sizes });
  }

  /**
   * The recurrent state for `num_envs` environments: the kept one if it has that number of environments, else
   * zeros.
   */
  hiddenState(num_envs = 1): HiddenState {
    const empty = emptyHiddenState(this.#session.state, num_envs);
    const kept = this.#hidden;
    const fits = kept && Object.entries(empty).every(([name, { length }]) => kept[name]?.length === length);
    return fits ? kept : empty;
  }

  /**
   * Resets the recurrent state of all environments, or of those whose episode ended (1 in `done` [num_envs]).
   */
  resetHiddenState(done?: ArrayLike<number>): void {
    this.#hidden = done && this.#hidden ? withoutEnded(this.#hidden, done) : null;
  }

  /** Sets the recurrent state of the environments; null for zeros. */
  recall(hidden: HiddenState | null): void {
    this.#hidden = hidden;
  }

  /**
   * Samples from the policy for one observation or, with `num_envs`, for several. Returns arrays in both
   * cases.
   */
  sample(observation: number | ArrayLike<number>, options: SamplingOptions): SampledActions {
    const { arena } = this.#rows.present("act", observation, options);
    const hidden_state = this.#remembering(arena, options, () => this.#session.run("act"));
    const read = (name: string) => arena.read(`act.${name}`) as Float32Array | Int32Array;
    return {
      action: read("action"),
      applied: read("applied"),
      log_prob: read("log_prob") as Float32Array,
      hidden_state,
    };
  }

  /** The policy's mode, as the environment takes it. */
  greedy(observation: number | ArrayLike<number>, options: SamplingOptions): Float32Array | Int32Array {
    const { arena } = this.#rows.present("greedy", observation, options);
    this.#remembering(arena, options, () => this.#session.run("greedy"));
    return arena.read("act.greedy") as Float32Array | Int32Array;
  }

  /** Runs an acting program with the recurrent state. Returns the state after it. */
  #remembering(
    arena: WasmArena,
    { num_envs = 1, hidden_state }: SamplingOptions,
    run: () => void,
  ): HiddenState {
    if (hidden_state) requireHiddenState(this.#session.state, num_envs, hidden_state);
    const before = hidden_state ?? this.hiddenState(num_envs);
    // Acting greedily needs the policy's recurrent state only.
    const names = Object.keys(before).filter((name) => arena.has(memoryBuffer(name)));
    for (const name of names) arena.write(memoryBuffer(name), before[name] as Float32Array);
    run();
    const read = names.map((name) => [name, arena.read(memoryBuffer(name)) as Float32Array]);
    const after: HiddenState = { ...before, ...Object.fromEntries(read) };
    if (!hidden_state) this.#hidden = after;
    return after;
  }

  /**
   * Implements `learn` of the agents.
   * @throws TypeError or RangeError naming the invalid field, with its step and lane.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    const { observation_space } = this.#session.layout;
    const rollout =
      experiences instanceof RolloutBuffer
        ? experiences.stored()
        : withFlatObservations("rollout ", observation_space, experiences);
    requireRolloutFields("rollout", rollout, ["num_envs", "packing"]);
    const { num_envs, reward } = rollout;
    const agents = observation_space.kind === "Agents" ? observation_space.ids.length : 1;
    const rows = reward.length / agents;
    const horizon = rows / num_envs;
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
    this.#requireSquashed(rollout.action, num_envs);
    if (rows < LEAST_ROLLOUT) {
      throw new RangeError(
        `learn: found a rollout of ${rows} step in ${num_envs} environment, allowed at least ${LEAST_ROLLOUT} (steps x environments): a single advantage has no standard deviation to scale by; collect more steps before learning`,
      );
    }
    const { arena } = this.#session.open(["learn"], rolloutSizes(this.#session.state, num_envs, horizon));
    writeRollout(arena, rollout, {
      observation_space,
      hidden: Object.keys(hiddenSizes(this.#session.state)),
    });
    return this.#session.learn();
  }

  /** @throws RangeError naming the action that a squashed Gaussian cannot have given. */
  #requireSquashed(actions: ArrayLike<number>, num_envs: number): void {
    const { layout, state } = this.#session;
    const { action_space } = layout;
    const data = state.networks.actor?.data;
    if (action_space.kind !== "Box" || data?.distribution?.kind !== "normal") return;
    if (!data.distribution.squash_output) return;
    const placeOf = (row: number, at: number) =>
      `rollout.action[${at}] of step ${Math.floor(row / num_envs)}, lane ${row % num_envs}`;
    requireRange(
      actions,
      SQUASHED,
      elementSize(action_space),
      scaleOf(action_space, SQUASHED, data),
      placeOf,
    );
  }
}
