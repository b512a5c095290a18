import { checkNames, type OptionNames } from "../../specs/checkOptions.ts";

/** How members spread over the machine. */
export interface AcceleratorOptions {
  /** Names as for the trainers' `device`; the trainer's own unless given. */
  readonly device?: string;
  /** Threads that members are spread over, 1 or more. Results do not depend on it. */
  readonly workers?: number;
}

const NAMES: OptionNames<AcceleratorOptions> = { device: true, workers: true };

/** Where and over how many workers members train. */
export class Accelerator {
  readonly device: string | null;
  readonly workers: number;

  /** @throws TypeError for options that are unknown; RangeError unless `workers` is an integer from 1. */
  constructor(options: AcceleratorOptions = {}, ...positional: never[]) {
    checkNames("Accelerator", options, NAMES, { example: "{ workers: 4 }", positional });
    const { device, workers = 1 } = options;
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(`accelerator.workers: found ${workers}, allowed integers from 1`);
    }
    this.device = device ?? null;
    this.workers = workers;
  }
}

/** What is said of workers that lanes in the caller's thread cannot use; null where none were asked for. */
export function oneThreadWarning(accelerator: Accelerator | null | undefined): string | null {
  if (!accelerator || accelerator.workers === 1) return null;
  return `accelerator.workers is ${accelerator.workers}: an environment that is stepped in this process keeps its agents in one thread`;
}
