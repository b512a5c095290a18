/** A compiled environment stepped one by one from the host. */

import type { Space } from "../../spaces/index.ts";
import { type CompiledEnvironment, stateSize, variableShape } from "../definition/compiledEnvironment.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import { drawingOf } from "../drawing/registeredDrawings.ts";
import { actionValues } from "../face/action.ts";
import type { Action, ResetOptions, ResetResult, StepResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/NamedEnvironment.ts";
import type { RenderFrame } from "../face/RenderFrame.ts";
import {
  BUFFERS,
  drawBuffer,
  resetProgram,
  stepDrawBuffer,
  stepProgram,
  variableBuffer,
} from "./hostPrograms.ts";
import { LaneDraws } from "./LaneDraws.ts";
import type { PrepareProgram, RunnableProgram } from "./runProgram.ts";

type Phase = "not reset" | "running" | "terminated" | "truncated" | "closed";

/** One lane of a compiled environment, with its time limit. Made by `make`. */
export class Environment implements NamedEnvironment {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec: NamedEnvironment["spec"];
  readonly #compiled: CompiledEnvironment;
  readonly #draws: LaneDraws;
  readonly #stepDraws: LaneDraws;
  readonly #reset: RunnableProgram;
  readonly #step: RunnableProgram;
  #state: Float32Array;
  #elapsed = 0;
  #phase: Phase = "not reset";
  #lastAction: number | null = null;

  constructor(compiled: CompiledEnvironment, prepare: PrepareProgram) {
    const { id, max_episode_steps, reward_threshold } = compiled;
    this.#compiled = compiled;
    this.observation_space = compiled.observation_space;
    this.action_space = compiled.action_space;
    this.spec = { id, max_episode_steps, reward_threshold };
    this.#draws = new LaneDraws(compiled.resetDraws, "reset");
    this.#stepDraws = new LaneDraws(compiled.stepDraws, "step");
    this.#reset = prepare(resetProgram(compiled), { num_envs: 1 });
    this.#step = prepare(stepProgram(compiled), { num_envs: 1 });
    this.#state = new Float32Array(stateSize(compiled));
  }

  /**
   * Starts an episode. With the same seed, this and the resets after it give the same first states.
   *
   * @throws RangeError for a seed that is no integer from 0 to 2^53 - 1, and for any of `options`.
   */
  reset({ seed, options }: ResetOptions = {}): ResetResult<Float32Array> {
    this.#requireOpen();
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined) {
      throw new RangeError(
        `${this.spec.id}: reset.options.${unknown} is unknown, none are allowed; call setState to choose a state`,
      );
    }
    if (seed !== undefined) for (const draws of [this.#draws, this.#stepDraws]) draws.seed(seed);
    this.#draws.next().forEach((draw, i) => this.#reset.write(drawBuffer(i), [draw]));
    this.#reset.run();
    this.#state = this.#readState(this.#reset);
    this.#begin();
    return { observation: Float32Array.from(this.#reset.read(BUFFERS.obs)), info: {} };
  }

  /**
   * One step of the episode under way.
   *
   * @throws RangeError when the action is not one of the action space (Box actions out of bounds pass and are clipped).
   * @throws Error before the first reset, and once the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    this.#requireOpen();
    const { id, max_episode_steps } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: step() was called before reset(); call reset() first`);
    if (this.#phase !== "running")
      throw new Error(`${id}: the episode has ended (${this.#phase}); call reset() to start another`);
    const values = actionValues(this.action_space, action, `${id}: action`);
    let at = 0;
    for (const [name, size] of this.#variables()) {
      this.#step.write(variableBuffer(name), this.#state.subarray(at, at + size));
      at += size;
    }
    this.#stepDraws.next().forEach((draw, i) => this.#step.write(stepDrawBuffer(i), [draw]));
    this.#step.write(BUFFERS.action, values);
    this.#step.run();
    this.#state = this.#readState(this.#step);
    this.#lastAction = values[0] ?? null;
    this.#elapsed++;
    const terminated = this.#step.read(BUFFERS.terminated)[0] !== 0;
    const truncated = this.#elapsed >= max_episode_steps;
    if (terminated || truncated) this.#phase = terminated ? "terminated" : "truncated";
    return {
      observation: Float32Array.from(this.#step.read(BUFFERS.obs)),
      reward: this.#step.read(BUFFERS.reward)[0] as number,
      terminated,
      truncated,
      info: {},
    };
  }

  /** A copy of the state, in the order of Gymnasium's own state array. */
  getState(): Float32Array {
    return this.#state.slice();
  }

  /**
   * Puts the environment into a state. The episode under way goes on, its steps counted as before; where none is
   * (before a reset, or after an end), one begins.
   *
   * @throws RangeError when the number of values differs or one is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#requireOpen();
    const { variables } = this.#compiled;
    const values = Array.from(state);
    const size = stateSize(this.#compiled);
    if (values.length !== size || !values.every(Number.isFinite)) {
      throw new RangeError(
        `${this.spec.id}: state: found [${values.join(", ")}], allowed ${size} finite numbers (${variables.join(", ")})`,
      );
    }
    this.#state = Float32Array.from(values);
    if (this.#phase !== "running") this.#begin();
  }

  /** What to draw now: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the present state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    this.#requireOpen();
    const { id } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: render() was called before reset(); call reset() first`);
    const { options } = this.#compiled;
    const frame: RenderFrame = {
      id,
      ...(options && { options }),
      state: this.getState(),
      action: this.#lastAction,
    };
    if (!target) return frame;
    const draw = drawingOf(this.#compiled);
    if (!draw) throw new Error(`${id}: has no drawing; add one with registerDrawing`);
    draw(target.context, frame.state, frame.action, target.size, target.theme);
    return undefined;
  }

  /** Releases the programs' memory; the environment can no longer be used. Closing twice is harmless. */
  close(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    this.#reset.release();
    this.#step.release();
  }

  #begin(): void {
    this.#phase = "running";
    this.#elapsed = 0;
    this.#lastAction = null;
  }

  #readState(program: RunnableProgram): Float32Array {
    const state = new Float32Array(stateSize(this.#compiled));
    let at = 0;
    for (const [name, size] of this.#variables()) {
      state.set(program.read(variableBuffer(name)), at);
      at += size;
    }
    return state;
  }

  /** Names and sizes of the state's variables. */
  #variables(): [name: string, size: number][] {
    const { variables } = this.#compiled;
    return variables.map((name) => [name, variableShape(this.#compiled, name).reduce((a, b) => a * b, 1)]);
  }

  #requireOpen(): void {
    if (this.#phase === "closed") throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
}
