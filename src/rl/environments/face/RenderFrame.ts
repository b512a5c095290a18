import type { EnvironmentOptions } from "./environmentOptions.ts";

/** One frame to draw, as plain data. */
export interface RenderFrame {
  /** Id of the environment. */
  readonly id: string;
  /** Options that the environment was made with (default: none). */
  readonly options?: EnvironmentOptions;
  /** State, in the environment's own layout. */
  readonly state: Float32Array;
  /** Last action (the first element of a vector); null before the first action. */
  readonly action: number | null;
}
