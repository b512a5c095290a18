import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";
import { show } from "../../specs/explainName.ts";

/** How members spread over the machine. */
export interface AcceleratorOptions {
  /** Names as for the trainers' `device`; the trainer's own unless given. */
  readonly device?: string;
  /** Threads that members are spread over, 1 or more. Results do not depend on it. */
  readonly workers?: number;
  /**
   * Modules that register what the run needs and this library lacks (environments, algorithms, workloads): every worker
   * imports them before it trains. Absolute URLs, such as `new URL("./maze.js", import.meta.url)`. The calling thread
   * imports them itself, as any module.
   */
  readonly modules?: readonly (string | URL)[];
}

const NAMES: OptionNames<AcceleratorOptions> = { device: true, workers: true, modules: true };

/** @throws TypeError for what is no absolute URL. */
function addressOf(module: unknown, i: number): string {
  if (module instanceof URL) return module.href;
  if (typeof module === "string" && URL.canParse(module)) return module;
  throw new TypeError(
    `accelerator.modules[${i}]: found ${show(module)}, allowed an absolute URL, such as new URL("./maze.js", import.meta.url)`,
  );
}

/**
 * Where and over how many workers members train.
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

  /** @throws TypeError for options that are unknown or modules that are no absolute URLs; RangeError unless `workers` is an integer from 1. */
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

/** What is said of workers that lanes in the caller's thread cannot use; null where none were asked for. */
export function oneThreadWarning(accelerator: Accelerator | null | undefined): string | null {
  if (!accelerator || accelerator.workers === 1) return null;
  return `accelerator.workers is ${accelerator.workers}: an environment that is stepped in this process keeps its agents in one thread`;
}
