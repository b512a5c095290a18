/** Roll-outs of an agent's present policy, and learning from them. */
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
import type { AgentSession } from "../runtime/wasm/AgentSession.ts";
import type { ActingRows, RowOptions } from "./ActingRows.ts";

/** What a policy with memory acts on beside an observation's numbers. */
export interface SamplingOptions extends RowOptions {
  /** What a recurrent agent remembers, in place of what it kept; it then keeps nothing of the step. */
  readonly hidden_state?: HiddenState;
}

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

  /** Holds ceil(learn_step / num_envs) vector steps, two where that would be one step in all; made when first asked for, replaced by setting it. */
  get buffer(): RolloutBuffer {
    this.#buffer ??= this.makeBuffer(Number(this.#session.state.hyperparameters.num_envs ?? 1));
    return this.#buffer;
  }

  set buffer(buffer: RolloutBuffer) {
    this.#buffer = buffer;
  }

  /** A buffer for `num_envs` environments side by side, as `learn_step` says. */
  makeBuffer(num_envs: number): RolloutBuffer {
    const { observation_space, action_space } = this.#session.layout;
    const { horizon } = rolloutSizes(this.#session.state, num_envs);
    const hidden_sizes = hiddenSizes(this.#session.state);
    return new RolloutBuffer({ capacity: horizon, num_envs, observation_space, action_space, hidden_sizes });
  }

  /** What it remembers of so many environments; of new episodes where it has not acted on as many. */
  hiddenState(num_envs = 1): HiddenState {
    const empty = emptyHiddenState(this.#session.state, num_envs);
    const kept = this.#hidden;
    const fits = kept && Object.entries(empty).every(([name, { length }]) => kept[name]?.length === length);
    return fits ? kept : empty;
  }

  /** Forgets all environments, or those whose episode ended (1 in `done` [num_envs]). */
  resetHiddenState(done?: ArrayLike<number>): void {
    this.#hidden = done && this.#hidden ? withoutEnded(this.#hidden, done) : null;
  }

  /** Draws from the policy for one observation or, with `num_envs`, for several, as arrays either way. */
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

  /** Runs a program that acts with what is remembered; what is remembered after it. */
  #remembering(
    arena: WasmArena,
    { num_envs = 1, hidden_state }: SamplingOptions,
    run: () => void,
  ): HiddenState {
    if (hidden_state) requireHiddenState(this.#session.state, num_envs, hidden_state);
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

  /** As `learn` of the agents says. @throws TypeError or RangeError naming the field that does not fit, with its step and lane. */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    const rollout = experiences instanceof RolloutBuffer ? experiences.stored() : experiences;
    requireRolloutFields("rollout", rollout, ["num_envs", "packing"]);
    const { num_envs, reward } = rollout;
    const { observation_space } = this.#session.layout;
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
    if (rows < LEAST_ROLLOUT) {
      throw new RangeError(
        `learn: found a roll-out of ${rows} step in ${num_envs} environment, allowed at least ${LEAST_ROLLOUT} (steps x environments): one advantage has no deviation to be scaled by; collect more steps before learning`,
      );
    }
    const { arena } = this.#session.open(["learn"], rolloutSizes(this.#session.state, num_envs, horizon));
    writeRollout(arena, rollout, {
      observation_space,
      hidden: Object.keys(hiddenSizes(this.#session.state)),
    });
    return this.#session.learn();
  }
}
