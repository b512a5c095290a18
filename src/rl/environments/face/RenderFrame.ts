import type { EnvironmentOptions } from "./environmentOptions.ts";

/** What to draw, as plain data. */
export interface RenderFrame {
  /** Environment. */
  readonly id: string;
  /** What it was made with beside its name; none unless given. */
  readonly options?: EnvironmentOptions;
  /** State in the environment's own layout. */
  readonly state: Float32Array;
  /** Last action (the first element of a vector), null before the first one. */
  readonly action: number | null;
}
