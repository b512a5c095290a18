import { checkNames, type OptionNames } from "../../specs/checks.ts";
import { show } from "../../specs/messages.ts";

/** Options for how members are distributed over the machine. */
export interface AcceleratorOptions {
  /** Device name, as for the trainers' `device` (default: the trainer's device). */
  readonly device?: string;
  /** Number of threads that members are distributed over, at least 1. Results do not depend on it. */
  readonly workers?: number;
  /**
   * Modules that register things that the run needs and this library lacks (environments, algorithms,
   * workloads). Every worker imports them before it trains. Absolute URLs, such as `new URL("./maze.js",
   * import.meta.url)`. The calling thread must import them itself, like any module.
   */
  readonly modules?: readonly (string | URL)[];
}

const NAMES: OptionNames<AcceleratorOptions> = { device: true, workers: true, modules: true };

/** @throws TypeError unless the module is an absolute URL. */
function addressOf(module: unknown, i: number): string {
  if (module instanceof URL) return module.href;
  if (typeof module === "string" && URL.canParse(module)) return module;
  throw new TypeError(
    `accelerator.modules[${i}]: found ${show(module)}, allowed an absolute URL, such as new URL("./maze.js", import.meta.url)`,
  );
}

/**
 * The device that members train on, and the number of workers.
 *
 * @example
 * ```ts
 * const accelerator = new Accelerator({ workers: 4, device: "auto" });
 * const trainer = new LocalTrainer({ algorithm: "PPO", environment: "CartPole-v1", accelerator });
 * ```
 */
export class Accelerator {
  readonly device: string | null;
  readonly workers: number;
  /** Absolute URLs. */
  readonly modules: readonly string[];

  /**
   * @throws TypeError for unknown options, and for modules that are not absolute URLs; RangeError unless
   *   `workers` is a positive integer.
   */
  constructor(options: AcceleratorOptions = {}, ...positional: never[]) {
    checkNames("Accelerator", options, NAMES, { example: "{ workers: 4 }", positional });
    const { device, workers = 1, modules = [] } = options;
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(`accelerator.workers: found ${workers}, allowed integers from 1`);
    }
    this.device = device ?? null;
    this.workers = workers;
    this.modules = modules.map(addressOf);
  }
}

/**
 * The warning for workers that a caller's environment, stepped in this thread, cannot use; `null` if none
 * were requested.
 */
export function oneThreadWarning(accelerator: Accelerator | null | undefined): string | null {
  if (!accelerator || accelerator.workers === 1) return null;
  return `accelerator.workers is ${accelerator.workers}, which has no effect here: these agents train in one thread`;
}
