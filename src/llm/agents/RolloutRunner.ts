/** Outer iterations of members that learn from their own completions. */

import type { LLMESSpec, LlmSpec } from "../algorithms/registry.ts";
import { RowOrder } from "../data/rowOrder.ts";
import type { ActorCopies } from "../engine/Decodings.ts";
import { drawOf, type RowDraw } from "../engine/generate.ts";
import type { LoggedCompletion } from "../environments/completionLog.ts";
import type { EpisodeData } from "../environments/Episode.ts";
import type { RolloutHarness } from "../environments/RolloutHarness.ts";
import { counted, type RewardFault } from "../environments/rewards.ts";
import { episodeStart, spreadSeed } from "../environments/seeds.ts";
import { AnswerRules } from "../sampling/AnswerRules.ts";
import { SamplingSettings } from "../sampling/SamplingSettings.ts";
import { StopStrings } from "../sampling/StopStrings.ts";
import { endTokens } from "../tokenizers/AbsentTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import type { AgentOnDevice } from "./AgentOnDevice.ts";
import { collate, collectRollouts } from "./collectRollouts.ts";
import { copyReturns } from "./copyReturns.ts";
import type { EpisodeRange, Evaluation, IterationPlace, IterationResult, MemberRunner } from "./iteration.ts";
import type { UpdatePlace } from "./Learner.ts";
import { type LlmMember, specOf } from "./LlmMember.ts";
import type { LearnResult } from "./learntBatches.ts";
import { requireFinite } from "./requireFinite.ts";
import { scheduledSpec } from "./schedules.ts";

export interface RolloutRunnerOptions {
  readonly agent: AgentOnDevice;
  /** Makes a new environment for a trajectory. */
  readonly makeHarness: () => RolloutHarness;
  readonly max_turns: number;
  /** Number of episodes in an evaluation. */
  readonly eval_loop: number;
  /** Minimum return of an episode that counts as correct; `null` for no accuracy metric. */
  readonly max_reward: number | null;
  readonly io_timeout_s: number | null;
  /** Seed for the order of rows. */
  readonly row_seed?: number;
  /** Episodes of an evaluation that are played at once (default: as many as in training, at most 16). */
  readonly evaluated_together?: number;
}

/** Most episodes of an evaluation that are played at once. */
export const MOST_TOGETHER = 16;

/** Specs of rollout algorithms, which have sampling fields. */
export type RolloutSpec = Extract<LlmSpec, { readonly top_k: number }>;

/** First iteration number for draws in evaluations, so that they differ from those in training. */
export const EVALUATION_ITERATION = 2 ** 31;

/** The episodes of an iteration, and what was learnt from them. */
interface Played {
  readonly episodes: readonly EpisodeData[];
  /** Passes over the data set that were completed before. */
  readonly epoch: number;
  /** Prompts that were drawn. */
  readonly samples: number;
  readonly learned: LearnResult;
  readonly level: boolean;
  /** The prompt of an episode, and which of its completions it is. */
  readonly placeOf: (episode: number) => { readonly group: number; readonly sample: number };
}

export class RolloutRunner implements MemberRunner {
  readonly #options: RolloutRunnerOptions;
  readonly #harnesses: RolloutHarness[] = [];
  /** Harnesses for evaluations. */
  readonly #tests: RolloutHarness[] = [];
  #rows: RowOrder | null = null;
  readonly #answers: AnswerRules | null;

  constructor(options: RolloutRunnerOptions) {
    this.#options = options;
    const { spec, parts } = options.agent.plan;
    this.#answers = answersOf(spec as RolloutSpec, parts.tokenizer);
  }

  async iteration(member: LlmMember, { seed, slot, progress = 0 }: IterationPlace): Promise<IterationResult> {
    const { agent, max_reward } = this.#options;
    const spec = scheduledSpec(specOf(agent.plan.spec as RolloutSpec, member), progress);
    agent.write(member.policy);
    const place = { seed, slot, updates: member.updates };
    const played =
      "perturbations" in spec ? this.#evolve(member, spec, place) : this.#learn(member, spec, place);
    const { episodes, epoch, samples, learned, level, placeOf } = await played;
    const all = episodes.map(returnOf);
    const returns = all.filter((value) => !Number.isNaN(value));
    const steps = episodes.reduce((sum, { num_turns }) => sum + num_turns, 0);
    const meanOf = (values: readonly number[]) => (returns.length === 0 ? Number.NaN : mean(values));
    return {
      member: {
        ...member,
        policy: requireFinite(await agent.read(), slot),
        steps: member.steps + steps,
        updates: member.updates + 1,
        samples: member.samples + samples,
        epoch: Math.max(epoch, member.epoch),
        passes: this.#epoch(this.#harnesses, member.samples + samples),
      },
      score: meanOf(returns),
      returns,
      steps,
      metrics: {
        ...learned.metrics,
        ...(max_reward === null ? {} : { accuracy: meanOf(returns.map((r) => (r >= max_reward ? 1 : 0))) }),
        ...componentMeans(episodes),
      },
      warnings: learned.warnings,
      reward_faults: faultsOf(episodes),
      level,
      completions: () => this.#logged(episodes, all, placeOf, learned.advantages),
    };
  }

  /** Plays groups of episodes, and learns from them by gradients. */
  async #learn(member: LlmMember, spec: RolloutSpec, place: UpdatePlace): Promise<Played> {
    const { agent, max_turns } = this.#options;
    const { policy } = agent.core;
    const { seed, slot, updates } = place;
    const group = groupOf(agent, spec);
    const harnesses = this.#grown(this.#harnesses, spec.batch_size * group);
    const epoch = this.#epoch(harnesses, member.samples);
    if (epoch > member.epoch && policy.shape.reference) await policy.renewReference();
    const episodes = await this.#play(harnesses, spec, harnesses.length, drawOf(seed, slot, updates), (i) => {
      const sample = member.samples + Math.floor(i / group);
      return episodeStart(seed, sample, this.#order(harnesses));
    });
    const experiences = collate(episodes, max_turns, agent.plan.parts.tokenizer.pad_token_id);
    const learned = await agent.core.learnRollouts(experiences, spec, place);
    return {
      episodes,
      epoch,
      samples: spec.batch_size,
      learned,
      level: group > 1 && learned.metrics.frac_reward_zero_std === 1,
      placeOf: (i) => ({ group: Math.floor(i / group), sample: i % group }),
    };
  }

  /** Plays episodes of perturbed copies, and learns from their returns. */
  async #evolve({ policy, samples }: LlmMember, spec: LLMESSpec, place: UpdatePlace): Promise<Played> {
    const { core } = this.#options.agent;
    const { evolution } = core;
    const { batch_size, perturbations, common_random_numbers: common } = spec;
    const { seed, slot, updates } = place;
    const together = core.copiesTogether(spec);
    const rows = together * batch_size;
    const all = this.#grown(this.#harnesses, rows);
    const epoch = this.#epoch(all, samples);
    const draw = drawOf(seed, slot, updates);
    const episodes: EpisodeData[] = [];
    for (let copy = 0; copy < perturbations; copy += together) {
      const center = { policy, place };
      const copies = together > 1 ? evolution.perturbed(copy, together, center, spec) : null;
      if (copies === null) evolution.perturb(copy, center, spec);
      const trajectory = (i: number) => (common ? i % batch_size : copy * batch_size + i);
      const harnesses = all.slice(0, (perturbations - copy) * batch_size);
      const own = await this.#play(
        harnesses,
        spec,
        rows,
        (i) => draw(trajectory(i)),
        (i) => episodeStart(seed, samples + trajectory(i), this.#order(harnesses)),
        copies,
      );
      episodes.push(...own);
    }
    const returns = copyReturns(
      Array.from({ length: perturbations }, (_, copy) =>
        episodes.slice(copy * batch_size, (copy + 1) * batch_size).map(returnOf),
      ),
      common,
    );
    const { metrics, utilities } = await evolution.learn(returns, { policy, place }, spec);
    const advantages = Float32Array.from(episodes, (_, i) => utilities[Math.floor(i / batch_size)] ?? 0);
    const completion_length = mean(episodes.map(tokensOf));
    return {
      episodes,
      epoch,
      samples: common ? batch_size : perturbations * batch_size,
      learned: { metrics: { ...metrics, completion_length }, warnings: [], advantages },
      level: metrics.gradient_norm === 0,
      placeOf: (i) =>
        common ? { group: i % batch_size, sample: Math.floor(i / batch_size) } : { group: i, sample: 0 },
    };
  }

  async evaluate(
    member: LlmMember,
    { seed, slot }: IterationPlace,
    { first, count }: EpisodeRange = { first: 0, count: this.#options.eval_loop },
  ): Promise<Evaluation> {
    const { agent, evaluated_together } = this.#options;
    const spec = evaluationSpec(specOf(agent.plan.spec as RolloutSpec, member));
    // With as many rows as in training, both use one cache.
    const rows = evaluated_together ?? spec.batch_size * groupOf(agent, spec);
    const size = Math.min(rows, count, evaluated_together ?? MOST_TOGETHER);
    const tests = this.#grown(this.#tests, size);
    agent.write(member.policy);
    for (const test of tests) test.setEvaluation(true);
    const rewards: number[] = [];
    const returns: number[] = [];
    const faults: RewardFault[] = [];
    for (let start = first; start < first + count; start += size) {
      const played = await this.#play(
        tests.slice(0, first + count - start),
        spec,
        rows,
        (i) => ({ seed, slot, iteration: EVALUATION_ITERATION + start + i, trajectory: 0 }),
        (i) => ({
          seed: spreadSeed(seed + EVALUATION_ITERATION + start + i),
          ...this.#evaluationRow(tests, start + i),
        }),
      );
      faults.push(...faultsOf(played));
      for (const data of played.filter((episode) => !Number.isNaN(returnOf(episode)))) {
        rewards.push(...data.rewards.subarray(0, data.num_turns));
        returns.push(returnOf(data));
      }
    }
    // Without a reward, the member is ranked last.
    const fitness = returns.length === 0 ? Number.NaN : mean(rewards);
    return { fitness, returns, completions: [], reward_faults: counted(faults) };
  }

  async close(): Promise<void> {
    const open = [...this.#harnesses.splice(0), ...this.#tests.splice(0)];
    const ends = await Promise.allSettled(open.map((harness) => harness.close()));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  }

  #play(
    harnesses: readonly RolloutHarness[],
    spec: RolloutSpec,
    rows: number,
    draw: (trajectory: number) => RowDraw,
    reset: (trajectory: number) => { readonly seed: number; readonly row_index?: number },
    copies: ActorCopies | null = null,
  ): Promise<readonly EpisodeData[]> {
    const { agent, io_timeout_s, max_turns } = this.#options;
    return collectRollouts(harnesses, (rows, tokens) => agent.decoding(rows, tokens, copies), {
      turns: max_turns,
      resets: harnesses.map((_, i) => reset(i)),
      settings: settingsOf(spec, agent.plan.parts.tokenizer),
      answers: this.#answers,
      stops: StopStrings.of(spec.stop_strings, agent.plan.parts.tokenizer),
      max_output_tokens: spec.max_output_tokens,
      max_model_len: agent.max_model_len,
      draw,
      rows,
      io_timeout_s,
    });
  }

  #made(): RolloutHarness {
    const harness = this.#options.makeHarness();
    harness.limitTurns(this.#options.max_turns);
    return harness;
  }

  /** As many harnesses as trajectories, created only when needed. */
  #grown(made: RolloutHarness[], count: number): readonly RolloutHarness[] {
    while (made.length < count) made.push(this.#made());
    return made.slice(0, count);
  }

  /** The order of the environment's rows; `null` if it has no data set. */
  #order([harness]: readonly RolloutHarness[]): RowOrder | null {
    const size = harness?.dataset_size ?? null;
    if (size === null) return null;
    if (this.#rows?.size !== size) this.#rows = new RowOrder(size, this.#options.row_seed);
    return this.#rows;
  }

  /** Held-out rows are used in a fixed order, so that evaluations are comparable. */
  #evaluationRow([harness]: readonly RolloutHarness[], episode: number): { readonly row_index?: number } {
    const size = harness?.dataset_size ?? null;
    return size === null ? {} : { row_index: episode % size };
  }

  /** Completed passes over the data set after `samples` samples. */
  #epoch(harnesses: readonly RolloutHarness[], samples: number): number {
    return this.#order(harnesses)?.epochOf(samples) ?? harnesses[0]?.num_epochs ?? 0;
  }

  #logged(
    episodes: readonly EpisodeData[],
    returns: readonly number[],
    placeOf: Played["placeOf"],
    advantages: LearnResult["advantages"],
  ): readonly LoggedCompletion[] {
    const { tokenizer } = this.#options.agent.plan.parts;
    return episodes.map((episode, i) => {
      const ids = episode.input_ids.data;
      const first = episode.action_mask.data.indexOf(1);
      const start = first < 0 ? ids.length : first + 1;
      const advantage = advantages?.[i] ?? Number.NaN;
      return {
        ...placeOf(i),
        reward: returns[i] ?? 0,
        num_turns: episode.num_turns,
        completion_tokens: tokensOf(episode),
        prompt: tokenizer.decode(ids.subarray(0, start)),
        completion: tokenizer.decode(ids.subarray(start)),
        ...(Number.isFinite(advantage) && { advantage }),
      };
    });
  }
}

/** Completions of a prompt that are compared with one another. */
const groupOf = ({ plan: { algorithm } }: AgentOnDevice, spec: RolloutSpec): number =>
  algorithm.kind === "rollout" ? algorithm.groupSize(spec) : 1;

/** The spec with the sampling settings of evaluations. */
export const evaluationSpec = (spec: RolloutSpec): RolloutSpec => ({
  ...spec,
  temperature: spec.eval_temperature ?? spec.temperature,
});

/** Rules that constrain a spec's completions; `null` for none. */
export const answersOf = (spec: RolloutSpec, tokenizer: Tokenizer): AnswerRules | null =>
  AnswerRules.of(spec, tokenizer, endTokens(tokenizer));

/** Sampling settings of a spec. */
export const settingsOf = (spec: RolloutSpec, tokenizer: Tokenizer): SamplingSettings =>
  SamplingSettings.parse({
    repetition_penalty: spec.repetition_penalty,
    min_output_tokens: spec.min_output_tokens,
    temperature: spec.temperature,
    top_k: spec.top_k,
    top_p: spec.top_p,
    min_p: spec.min_p,
    suppress_tokens: spec.suppress_tokens,
    stop_tokens: endTokens(tokenizer),
  });

/** Tokens that the policy generated. */
const tokensOf = ({ action_mask }: EpisodeData): number =>
  action_mask.data.reduce((sum, own) => sum + own, 0);

/** Sum of an episode's rewards; NaN if one is missing. */
const returnOf = ({ rewards }: EpisodeData): number => rewards.reduce((sum, reward) => sum + reward, 0);

const faultsOf = (episodes: readonly EpisodeData[]): readonly RewardFault[] =>
  counted(episodes.flatMap(({ reward_faults }) => reward_faults));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Means of the named reward components that rubrics report. */
function componentMeans(episodes: readonly EpisodeData[]): Record<string, number> {
  const sums = new Map<string, number[]>();
  for (const { info } of episodes) {
    const parts = info.reward_components;
    if (typeof parts !== "object" || parts === null) continue;
    for (const [name, value] of Object.entries(parts))
      if (typeof value === "number") sums.set(name, [...(sums.get(name) ?? []), value]);
  }
  return Object.fromEntries([...sums].map(([name, values]) => [`reward_${name}`, mean(values)]));
}
