/** A compiled single-agent environment that is stepped from the host. */

import type { Space } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import { actionValues } from "../face/action.ts";
import type { Action, RenderFrame, ResetOptions, ResetResult, StepResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/ParallelEnvironment.ts";
import { CompiledLane } from "./CompiledLane.ts";
import type { PrepareProgram } from "./hostPrograms.ts";

/** One lane of a compiled single-agent environment, with its time limit. Created by `make`. */
export class Environment implements NamedEnvironment {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec: NamedEnvironment["spec"];
  readonly #lane: CompiledLane;

  constructor(compiled: CompiledEnvironment, prepare: PrepareProgram) {
    this.observation_space = compiled.observation_space;
    this.action_space = compiled.action_space;
    this.#lane = new CompiledLane(compiled, prepare);
    this.spec = this.#lane.spec;
  }

  /**
   * Starts an episode. The same seed gives the same initial states, for this reset and later ones.
   *
   * @throws RangeError when the seed is not an integer from 0 to 2^53 - 1, or `options` has fields.
   */
  reset(options: ResetOptions = {}): ResetResult<Float32Array> {
    return this.#lane.reset(options);
  }

  /**
   * Takes one step of the current episode.
   *
   * @throws RangeError when the action is not in the action space (out-of-bounds Box actions are allowed and
   * clipped).
   * @throws Error before the first reset, and after the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    this.#lane.requireRunning();
    const values = actionValues(this.action_space, action, `${this.spec.id}: action`);
    const { observation, reward, truncated, info } = this.#lane.step(values);
    return {
      observation,
      reward: reward[0] as number,
      terminated: this.#lane.gone[0] === 1,
      truncated,
      info,
    };
  }

  /** Returns a copy of the state, in the order of Gymnasium's own state array. */
  getState(): Float32Array {
    return this.#lane.getState();
  }

  /**
   * Sets the environment's state. A running episode continues with its step count. If no episode is running
   * (before a reset, or after an end), an episode begins.
   *
   * @throws RangeError when the state has the wrong length or a value is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#lane.setState(state);
  }

  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    const frame = this.#lane.render(target);
    return target ? undefined : frame;
  }

  /** Releases the programs' memory; the environment can no longer be used. Further calls have no effect. */
  close(): void {
    this.#lane.close();
  }
}
