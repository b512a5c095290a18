import type { SupportedAgent } from "../../rl/agents/index.ts";

export interface OutputLostOptions {
  /** What the run trained, as it would have been returned. */
  readonly population: SupportedAgent[];
  /** Each member's fitness in its last evaluation. */
  readonly fitnesses: number[];
  /** Why the last try failed. */
  readonly cause: unknown;
}

/**
 * A run trained to its end, and of an output that was asked for nothing was written: the elite never, or no checkpoint
 * that came due. It has what the run would have returned, so that nothing of it is lost.
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
