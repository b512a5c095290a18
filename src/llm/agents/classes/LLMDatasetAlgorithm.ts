/** Agents that learn from labelled rows. */
import { DatasetEnv } from "../../data/DatasetEnv.ts";
import { DatasetRunner } from "../DatasetRunner.ts";
import type { Metrics } from "../Learner.ts";
import type { LabelledSequences } from "../learntBatches.ts";
import { LLMAlgorithm, type LossAndGradients, type TestLoopOptions } from "./LLMAlgorithm.ts";

/**
 * Base class of DPO, KTO and SFT, which learn from batches of the type `B`.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const agent = new SFT({ actor_network, lr: 2e-3 });
 * console.log(agent instanceof LLMDatasetAlgorithm);
 * ```
 */
export abstract class LLMDatasetAlgorithm<B extends object = object> extends LLMAlgorithm {
  /** Validates a caller's batch. */
  protected abstract read(experiences: B): LabelledSequences;

  /**
   * Learns from a batch: `update_epochs` passes, with one optimiser step per micro-batch or, by
   * `gradient_accumulation_steps`, for several.
   * @returns Metrics, including `loss`.
   * @throws TypeError or RangeError naming an invalid array; DivergedError if the loss is not finite.
   */
  async learn(experiences: B): Promise<Metrics> {
    const batch = this.read(experiences);
    return this.update((agent, spec, place) => agent.core.learnLabelled(batch, spec, place));
  }

  /**
   * Loss and gradients of the whole batch as one micro-batch, without an update.
   * @throws As `learn`, except for divergence.
   */
  async lossAndGradients(experiences: B): Promise<LossAndGradients> {
    return this.gradients(this.read(experiences));
  }

  /**
   * Evaluates on batches of held-out rows.
   * @returns The fitness, which is also recorded. DPO: mean reward of chosen responses minus that of rejected
   *   ones. SFT: negative mean loss of the tokens in the responses.
   * @throws TypeError for any environment but a `DatasetEnv` with the algorithm's objective.
   */
  async test(env: DatasetEnv, { loop = 1 }: TestLoopOptions = {}): Promise<number> {
    if (!(env instanceof DatasetEnv))
      throw new TypeError(`env: found ${typeof env}, allowed a DatasetEnv for ${this.algo}`);
    return this.evaluated(async (agent) => {
      const runner = new DatasetRunner({ agent, env, eval_loop: loop, shown: 0 });
      return (await runner.evaluate(this.member)).fitness;
    });
  }
}
