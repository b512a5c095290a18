import type { RenderTarget } from "../drawing/drawing.ts";
import type { EnvironmentSpec } from "./HostEnvironment.ts";
import type { ParallelEnvironment } from "./ParallelEnvironment.ts";
import type { RenderFrame } from "./RenderFrame.ts";

/** What `make` returns for an environment of several agents: PettingZoo's parallel face with nothing left out. */
export interface NamedParallelEnvironment extends ParallelEnvironment<Float32Array> {
  readonly spec: EnvironmentSpec & { readonly max_episode_steps: number };
  /** What to draw now: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the present state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  /** A copy of the state. */
  getState(): Float32Array;
  /** Puts the environment into a state. @throws RangeError for numbers that are none. */
  setState(state: ArrayLike<number>): void;
  close(): void;
}
