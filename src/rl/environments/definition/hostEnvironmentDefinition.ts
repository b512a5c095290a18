import type { Space } from "../../spaces/index.ts";
import type { EnvironmentOptions } from "../face/environmentOptions.ts";
import type { NamedEnvironment } from "../face/NamedEnvironment.ts";
import type { NamedParallelEnvironment } from "../face/NamedParallelEnvironment.ts";
import type { Appearance } from "./Appearance.ts";
import type { Configurable } from "./Configurable.ts";

/** Arguments of an instance: the time limit, and what else the environment understands. */
export interface HostMakeOptions extends EnvironmentOptions {
  readonly max_episode_steps: number;
}

/** Makes one instance. @throws RangeError or SpecError for options that it does not understand. */
export type MakeHostEnvironment = (options: HostMakeOptions) => NamedEnvironment | NamedParallelEnvironment;

/** An environment that JavaScript steps, known by name. What it is made of is loaded when somebody plays it. */
export interface HostEnvironmentDefinition extends Configurable<HostEnvironmentDefinition>, Appearance {
  /** Gymnasium's id, with its version. */
  readonly id: string;
  /** Spaces of its instances: both are `Agents` with the same ids, or neither is. */
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Steps after which an episode is truncated. */
  readonly max_episode_steps: number;
  /** Mean return at which the task counts as solved; null when none is agreed on. */
  readonly reward_threshold: number | null;
  readonly load: () => Promise<MakeHostEnvironment>;
}
