import type { RenderTarget } from "../drawing/drawing.ts";
import type { EnvironmentSpec, HostEnvironment, RenderFrame } from "./HostEnvironment.ts";
import type { ParallelEnvironment } from "./ParallelEnvironment.ts";

/** The multi-agent environment that `make` returns: a `ParallelEnvironment` that has all optional members. */
export interface NamedParallelEnvironment extends ParallelEnvironment<Float32Array> {
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  /** Returns a copy of the state. */
  getState(): Float32Array;
  /** Sets the environment's state. @throws RangeError when the numbers are not a valid state. */
  setState(state: ArrayLike<number>): void;
  close(): void;
}

/** The single-agent environment that `make` returns: a `HostEnvironment` that has all optional members. */
export interface NamedEnvironment extends HostEnvironment<Float32Array> {
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  /** Returns a copy of the state. */
  getState(): Float32Array;
  /** Sets the environment's state. @throws RangeError when the numbers are not a valid state. */
  setState(state: ArrayLike<number>): void;
  close(): void;
}
