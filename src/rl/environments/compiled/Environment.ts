/** A compiled environment stepped one by one from the host. */

import type { Space } from "../../spaces/index.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import { actionValues } from "../face/action.ts";
import type { Action, ResetOptions, ResetResult, StepResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/NamedEnvironment.ts";
import type { RenderFrame } from "../face/RenderFrame.ts";
import { CompiledLane } from "./CompiledLane.ts";
import type { PrepareProgram } from "./runProgram.ts";

/** One lane of a compiled environment of one agent, with its time limit. Made by `make`. */
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
   * Starts an episode. With the same seed, this and the resets after it give the same first states.
   *
   * @throws RangeError for a seed that is no integer from 0 to 2^53 - 1, and for any of `options`.
   */
  reset(options: ResetOptions = {}): ResetResult<Float32Array> {
    return { observation: this.#lane.reset(options), info: {} };
  }

  /**
   * One step of the episode under way.
   *
   * @throws RangeError when the action is not one of the action space (Box actions out of bounds pass and are clipped).
   * @throws Error before the first reset, and once the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    this.#lane.requireRunning();
    const values = actionValues(this.action_space, action, `${this.spec.id}: action`);
    const { observation, reward, truncated } = this.#lane.step(values);
    return {
      observation,
      reward: reward[0] as number,
      terminated: this.#lane.gone[0] === 1,
      truncated,
      info: {},
    };
  }

  /** A copy of the state, in the order of Gymnasium's own state array. */
  getState(): Float32Array {
    return this.#lane.getState();
  }

  /**
   * Puts the environment into a state. The episode under way goes on, its steps counted as before; where none is
   * (before a reset, or after an end), one begins.
   *
   * @throws RangeError when the number of values differs or one is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#lane.setState(state);
  }

  /** What to draw now: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the present state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    const frame = this.#lane.render(target);
    return target ? undefined : frame;
  }

  /** Releases the programs' memory; the environment can no longer be used. Closing twice is harmless. */
  close(): void {
    this.#lane.close();
  }
}
