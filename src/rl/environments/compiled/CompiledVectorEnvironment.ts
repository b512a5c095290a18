/** Lanes of a compiled environment that are stepped together from the host. */
import type { Space } from "../../spaces.ts";
import { type CompiledEnvironment, variableBuffer } from "../definition/compiledEnvironment.ts";
import { vectorActionValues } from "../face/action.ts";
import { requireLanes } from "../face/EnvironmentError.ts";
import type { EnvironmentSpec, Info } from "../face/HostEnvironment.ts";
import {
  endedLanes,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../face/VectorEnvironment.ts";
import { LaneDraws } from "./CompiledLane.ts";
import {
  BUFFERS,
  drawBuffer,
  maskInfos,
  type PrepareProgram,
  type RunnableProgram,
  resetProgram,
  stepDrawBuffer,
  vectorProgram,
} from "./hostPrograms.ts";

/** Created by `makeVector`. Lane i has the same episodes as `make(id)` seeded with seed + i. */
export class CompiledVectorEnvironment implements VectorEnvironment {
  readonly num_envs: number;
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** The environment of the lanes, with its options. */
  readonly environment: CompiledEnvironment;
  readonly #lanes: readonly LaneDraws[];
  readonly #stepLanes: readonly LaneDraws[];
  readonly #reset: RunnableProgram;
  readonly #step: RunnableProgram;
  /** Numbers for each lane's next reset. */
  #pending: Float32Array[] = [];
  #closed = false;

  /** @throws RangeError unless `num_envs` is a positive integer. */
  constructor(compiled: CompiledEnvironment, num_envs: number, prepare: PrepareProgram) {
    const { id, max_episode_steps, reward_threshold } = compiled;
    this.num_envs = requireLanes(num_envs);
    this.environment = compiled;
    this.single_observation_space = compiled.observation_space;
    this.single_action_space = compiled.action_space;
    this.spec = { id, max_episode_steps, reward_threshold };
    this.#lanes = Array.from({ length: num_envs }, () => new LaneDraws(compiled.resetDraws, "reset"));
    this.#stepLanes = this.#lanes.map(() => new LaneDraws(compiled.stepDraws, "step"));
    this.#reset = prepare(resetProgram(compiled), { num_envs });
    this.#step = prepare(vectorProgram(compiled), { num_envs });
  }

  reset({ seed, options }: VectorResetOptions = {}): VectorResetResult {
    this.#requireOpen();
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined)
      throw new RangeError(`${this.spec.id}: reset.options.${unknown} is unknown, none are allowed`);
    if (seed !== undefined) {
      this.#lanes.forEach((lane, i) => lane.seed(seed + i));
      this.#stepLanes.forEach((lane, i) => lane.seed(seed + i));
    }
    // Uses numbers that were drawn ahead but not used, so that lanes match environments made by `make`.
    if (seed !== undefined || this.#pending.length === 0)
      this.#pending = this.#lanes.map((lane) => lane.next());
    write(this.#reset, drawBuffer, this.#pending);
    this.#reset.run();
    for (const name of this.environment.variables)
      this.#step.write(variableBuffer(name), this.#reset.read(variableBuffer(name)));
    this.#step.write(BUFFERS.elapsed, new Int32Array(this.num_envs));
    const space = this.single_observation_space;
    if (space.kind === "Agents")
      this.#step.write(BUFFERS.left, new Float32Array(this.num_envs * space.ids.length));
    this.#pending = this.#lanes.map((lane) => lane.next());
    return {
      observation: Float32Array.from(this.#reset.read(BUFFERS.obs)),
      info: this.#infos(this.#reset, BUFFERS.mask),
    };
  }

  /**
   * @throws RangeError naming the lane whose action is not in the action space.
   * @throws Error before the first reset.
   */
  step(actions: ArrayLike<number>): VectorStepResult {
    this.#requireOpen();
    const { id } = this.spec;
    if (this.#pending.length === 0)
      throw new Error(`${id}: step() was called before reset(); call reset() first`);
    vectorActionValues(this.single_action_space, actions, this.num_envs, `${id}: actions`);
    write(this.#step, drawBuffer, this.#pending);
    write(
      this.#step,
      stepDrawBuffer,
      this.#stepLanes.map((lane) => lane.next()),
    );
    this.#step.write(BUFFERS.action, actions);
    this.#step.run();
    const flags = (name: string): Uint8Array =>
      Uint8Array.from(this.#step.read(name), (x) => (x === 0 ? 0 : 1));
    const terminated = flags(BUFFERS.terminated);
    const truncated = flags(BUFFERS.truncated);
    const ended = endedLanes({ terminated, truncated });
    this.#pending = this.#pending.map((draws, lane) =>
      ended[lane] ? (this.#lanes[lane] as LaneDraws).next() : draws,
    );
    return {
      observation: Float32Array.from(this.#step.read(BUFFERS.obs)),
      reward: Float32Array.from(this.#step.read(BUFFERS.reward)),
      terminated,
      truncated,
      final_observation: Float32Array.from(this.#step.read(BUFFERS.next_obs)),
      info: this.#infos(this.#step, BUFFERS.mask),
      final_info: this.#infos(this.#step, BUFFERS.next_mask),
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reset.release();
    this.#step.release();
  }

  #infos(program: RunnableProgram, mask: string): Info[] {
    const { environment, num_envs } = this;
    return maskInfos(environment, num_envs, () => program.read(mask));
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
}

/** Writes the lanes' draws: draw i of all lanes into buffer i. */
function write(
  program: RunnableProgram,
  nameOf: (index: number) => string,
  lanes: readonly Float32Array[],
): void {
  const count = lanes[0]?.length ?? 0;
  for (let i = 0; i < count; i++) {
    const draws = Float32Array.from(lanes, (lane) => lane[i] as number);
    program.write(nameOf(i), draws);
  }
}
