/** Stacks of the latest observations of lanes that the host steps. */
import { elementSize, type Space, type StackedPart, stackedParts } from "../../spaces.ts";
import {
  endedLanes,
  type PlacedLanes,
  type VectorResetResult,
  type VectorStepResult,
} from "../face/VectorEnvironment.ts";

/** The stack of each lane. The first observation of an episode fills it. */
export class FrameStacks {
  readonly #parts: readonly StackedPart[];
  /** Several agents: the index of each part's agent. */
  readonly #agentOf: readonly number[] | null;
  /** Numbers of an observation, and of a stack. */
  readonly #width: number;
  readonly #size: number;
  readonly #rows: Float32Array;

  /** @param space Of the observations. */
  constructor(space: Space, frames: number, num_envs: number) {
    this.#parts = stackedParts(space, frames);
    this.#agentOf =
      space.kind === "Agents"
        ? this.#parts.map(({ start }) => space.agents.findIndex((own) => start < own.start + own.size))
        : null;
    this.#width = elementSize(space);
    this.#size = this.#parts.reduce((sum, { size, frames: kept }) => sum + size * kept, 0);
    this.#rows = new Float32Array(num_envs * this.#size);
  }

  /** A copy of a lane's stack. */
  read(lane: number): Float32Array {
    return this.#rows.slice(lane * this.#size, (lane + 1) * this.#size);
  }

  /** A copy of all stacks, which `place` takes. */
  all(): Float32Array {
    return this.#rows.slice();
  }

  place(rows: Float32Array): void {
    this.#rows.set(rows);
  }

  /** Lanes that go on, with stacks as observations. @param rows Those of the lanes where their episodes stood. */
  afterGoOn(placed: PlacedLanes, rows: Float32Array | null): PlacedLanes {
    if (rows) this.place(rows);
    for (const [lane, begun] of placed.begun.entries())
      if (begun) this.begin(lane, this.#row(placed.observation, lane));
    return { ...placed, observation: this.all() };
  }

  /** Starts an episode of a lane with its first observation. */
  begin(lane: number, first: ArrayLike<number>): void {
    for (const { start, size, at, frames } of this.#parts)
      for (let i = 0; i < size * frames; i++)
        this.#rows[lane * this.#size + at + i] = first[start + (i % size)] as number;
  }

  /** Adds an observation; the oldest one falls out. */
  push(lane: number, latest: ArrayLike<number>): void {
    for (const { start, size, at, frames } of this.#parts) {
      const from = lane * this.#size + at;
      const end = from + size * (frames - 1);
      this.#rows.copyWithin(from, from + size, end + size);
      for (let i = 0; i < size; i++) this.#rows[end + i] = latest[start + i] as number;
    }
  }

  /** The result of a reset with stacks as observations; unchanged if its observations do not fit. */
  afterReset(result: VectorResetResult): VectorResetResult {
    if (!this.#fits(result?.observation)) return result;
    const lanes = this.#rows.length / this.#size;
    for (let lane = 0; lane < lanes; lane++) this.begin(lane, this.#row(result.observation, lane));
    return { ...result, observation: this.#rows.slice() };
  }

  /**
   * The result of a step with stacks as observations; unchanged if its observations do not fit. Agents whose task has
   * ended observe zeros.
   * @param wanted As for `VectorEnvironment.step`.
   */
  afterStep(result: VectorStepResult, wanted?: Uint8Array): VectorStepResult {
    if (!this.#fits(result?.observation) || !this.#fits(result.final_observation)) return result;
    const ended = endedLanes(result);
    const stepped = Array.from(ended.keys()).filter((lane) => wanted?.[lane] !== 0);
    for (const lane of stepped) {
      this.push(lane, this.#row(result.final_observation, lane));
      this.#clear(lane, result);
    }
    const final_observation = this.#rows.slice();
    for (const lane of stepped) if (ended[lane]) this.begin(lane, this.#row(result.observation, lane));
    return { ...result, final_observation, observation: this.#rows.slice() };
  }

  /** Empties the stacks of agents that have left. */
  #clear(lane: number, { terminated, truncated }: VectorStepResult): void {
    if (!this.#agentOf) return;
    const agents = terminated.length / truncated.length;
    for (const [i, { at, size, frames }] of this.#parts.entries()) {
      const from = lane * this.#size + at;
      if (terminated[lane * agents + (this.#agentOf[i] as number)])
        this.#rows.fill(0, from, from + size * frames);
    }
  }

  /** Whether an array has one observation for each lane. What reads the results names its faults. */
  #fits(rows: ArrayLike<number> | undefined): boolean {
    return rows?.length === (this.#rows.length / this.#size) * this.#width;
  }

  #row(rows: Float32Array, lane: number): Float32Array {
    return rows.subarray(lane * this.#width, (lane + 1) * this.#width);
  }
}
