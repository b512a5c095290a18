import type { Space } from "../../spaces.ts";
import type { EnvironmentOptions } from "../face/HostEnvironment.ts";
import type { NamedEnvironment, NamedParallelEnvironment } from "../face/ParallelEnvironment.ts";
import type { Appearance } from "./Appearance.ts";
import type { Configurable } from "./compiledEnvironment.ts";

/** Arguments of an instance: the time limit and the environment's own options. */
export interface HostMakeOptions extends EnvironmentOptions {
  readonly max_episode_steps: number;
}

/** Makes one instance. @throws RangeError or SpecError when an option is unknown or out of range. */
export type MakeHostEnvironment = (options: HostMakeOptions) => NamedEnvironment | NamedParallelEnvironment;

/**
 * A named environment that is stepped in JavaScript. Its implementation is loaded when it is first needed.
 */
export interface HostEnvironmentDefinition extends Configurable<HostEnvironmentDefinition>, Appearance {
  /** Gymnasium's id, with its version. */
  readonly id: string;
  /** Spaces of the instances: both are `Agents` with the same ids, or neither is. */
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Steps after which an episode is truncated. */
  readonly max_episode_steps: number;
  /** Mean return at which the task counts as solved; null if there is no agreed threshold. */
  readonly reward_threshold: number | null;
  readonly load: () => Promise<MakeHostEnvironment>;
}
