/** Agents that learn from their own completions. */
import { drawOf, generate } from "../../engine/generate.ts";
import { RolloutHarness } from "../../environments/RolloutHarness.ts";
import { type RewardFault, RewardTally } from "../../environments/rewards.ts";
import { type PromptInput, readPrompts } from "../../inference/readTokens.ts";
import { StopStrings } from "../../sampling/StopStrings.ts";
import { type RolloutExperiences, readRollouts } from "../experiences.ts";
import type { Metrics } from "../Learner.ts";
import {
  answersOf,
  EVALUATION_ITERATION,
  evaluationSpec,
  RolloutRunner,
  type RolloutSpec,
  settingsOf,
} from "../RolloutRunner.ts";
import { LLMAlgorithm, type LossAndGradients, type TestLoopOptions } from "./LLMAlgorithm.ts";

export interface ActOptions {
  /**
   * Whether random draws are those of training, which depend on the agent's updates, or those
   * of evaluation (default: true).
   */
  readonly training?: boolean;
}

/** The policy's completions, one per prompt. */
export interface PolicyCompletions {
  /** Ids of the prompt followed by the generated ids; T of each. */
  readonly completion_ids: readonly Int32Array[];
  /** 1 where the next id was generated; T - 1 of each. */
  readonly action_masks: readonly Float32Array[];
  /** Log-probabilities of the generated ids, in order, at the sampling temperature (at 1 if that is 0). */
  readonly sampling_log_probs: readonly Float32Array[];
}

/** Upper bound on calls of `getAction` with distinct random draws between two updates. */
const CALLS = 4096;

/**
 * Base class of GRPO, GSPO, CISPO, LLMPPO, LLMREINFORCE and LLMES.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent: LLMRolloutAlgorithm = new LLMREINFORCE({ actor_network, lr: 1e-3, max_output_tokens: 4 });
 * const { completion_ids, sampling_log_probs } = await agent.getAction([[0, 1]], { training: false });
 * ```
 */
export abstract class LLMRolloutAlgorithm extends LLMAlgorithm {
  #calls = 0;
  readonly #rewards = new RewardTally();

  /**
   * Generates a completion of each prompt with the spec's sampling settings (temperature, top_k and so on).
   * @throws TypeError or RangeError naming an invalid prompt.
   */
  async getAction(
    prompts: readonly PromptInput[],
    { training = true }: ActOptions = {},
  ): Promise<PolicyCompletions> {
    const ids = readPrompts(prompts, this.limits);
    const own = this.spec as RolloutSpec; // this is a rollout algorithm
    const spec = training ? own : evaluationSpec(own);
    const { max_model_len } = this.limits;
    const most = ids.map(({ length }) =>
      Math.min(spec.max_output_tokens ?? max_model_len, max_model_len - length),
    );
    const call = this.#calls++ % CALLS;
    const iteration = training ? this.member.updates * CALLS + call : EVALUATION_ITERATION + call;
    const draw = drawOf(spec.seed, this.index, iteration);
    return this.use(async (agent) => {
      agent.write(this.member.policy);
      const longest = ids.reduce((all, { length }, i) => Math.max(all, length + (most[i] ?? 0)), 0);
      const decoding = await agent.decoding(ids.length, longest);
      const { tokenizer } = agent.plan.parts;
      const settings = settingsOf(spec, tokenizer);
      const answers = answersOf(spec, tokenizer);
      const stops = StopStrings.of(spec.stop_strings, tokenizer);
      const written = await generate(decoding, ids, { settings, answers, stops, most, draw });
      const completion_ids = written.map((own, i) => Int32Array.from([...(ids[i] ?? []), ...own.ids]));
      return {
        completion_ids,
        action_masks: completion_ids.map((full, i) =>
          new Float32Array(full.length - 1).fill(1, (ids[i]?.length ?? 1) - 1),
        ),
        sampling_log_probs: written.map(({ log_probs }) => log_probs),
      };
    });
  }

  /**
   * Learns from a batch: `update_epochs` passes, with one optimiser step per micro-batch or, by
   * `gradient_accumulation_steps`, for several. Missing log-probabilities are computed first.
   * @returns Metrics, including `loss`, and `ratio_error`, the largest distance of a ratio
   *   from 1 in the first micro-batch.
   * @throws TypeError or RangeError naming an invalid array; TypeError for LLMES, which learns only in runs and in
   *   `trainLlmRollout`; DivergedError if the loss is not finite.
   */
  async learn(experiences: RolloutExperiences): Promise<Metrics> {
    const faults: RewardFault[] = [];
    const batch = readRollouts(experiences, this.limits, faults);
    this.warn(this.#rewards.add(faults));
    this.#calls = 0;
    return this.update((agent, spec, place) => agent.core.learnRollouts(batch, spec, place));
  }

  /**
   * Loss and gradients of the whole batch as one micro-batch, without an update.
   * @throws As `learn`, except for divergence.
   */
  async lossAndGradients(experiences: RolloutExperiences): Promise<LossAndGradients> {
    return this.gradients(readRollouts(experiences, this.limits));
  }

  /**
   * Plays episodes with the random draws of evaluation.
   * @returns Mean reward per turn, which is also recorded as fitness; NaN if no episode has a reward.
   * @throws TypeError for any environment but a `RolloutHarness`; errors of the environment.
   */
  async test(env: RolloutHarness, { loop = 1 }: TestLoopOptions = {}): Promise<number> {
    if (!(env instanceof RolloutHarness))
      throw new TypeError(`env: found ${typeof env}, allowed a RolloutHarness for ${this.algo}`);
    return this.evaluated(async (agent) => {
      const runner = new RolloutRunner({
        agent,
        makeHarness: () => env,
        evaluated_together: 1,
        max_turns: env.max_turns,
        eval_loop: loop,
        max_reward: null,
        io_timeout_s: null,
      });
      try {
        const place = { seed: this.spec.seed, slot: this.index };
        const { fitness, reward_faults = [] } = await runner.evaluate(this.member, place);
        this.warn(this.#rewards.add(reward_faults));
        return fitness;
      } finally {
        env.setEvaluation(false);
      }
    });
  }
}
