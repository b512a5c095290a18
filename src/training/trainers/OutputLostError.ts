import type { SupportedAgent } from "../../agents/classes.ts";

export interface OutputLostOptions {
  /** The trained population, as the run would have returned it. */
  readonly population: SupportedAgent[];
  /** Each member's fitness in its last evaluation. */
  readonly fitnesses: number[];
  /** Error of the last attempt to write. */
  readonly cause: unknown;
}

/**
 * Thrown when a run was trained to its end, but a requested output was never written: the elite, or any
 * checkpoint that was due. The error has the results that the run would have returned, so they are not lost.
 *
 * @example
 * ```ts
 * const trainer = new LocalTrainer({ algorithm: "DQN", environment: "CartPole-v1" });
 * try {
 *   await trainer.train({ save_elite: true, elite_path: "elite" });
 * } catch (error) {
 *   if (error instanceof OutputLostError) console.error("not saved, but trained:", error.fitnesses);
 *   else throw error;
 * }
 * ```
 */
export class OutputLostError extends Error {
  override readonly name = "OutputLostError";
  readonly population: SupportedAgent[];
  readonly fitnesses: number[];

  constructor(message: string, { population, fitnesses, cause }: OutputLostOptions) {
    super(message, { cause });
    this.population = population;
    this.fitnesses = fitnesses;
  }
}
