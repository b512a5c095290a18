/** Outer iterations of members that learn from labelled rows. */
import { type DPOSpec, isMeanReward, type KTOSpec } from "../algorithms/registry.ts";
import type { PreferenceBatch, SftBatch, UnpairedBatch } from "../data/batches.ts";
import type { DatasetEnv } from "../data/DatasetEnv.ts";
import type { Sequences } from "../engine/Policy.ts";
import type { LoggedCompletion } from "../environments/completionLog.ts";
import type { AgentOnDevice } from "./AgentOnDevice.ts";
import { greedyCompletions } from "./greedyCompletions.ts";
import type { EpisodeRange, Evaluation, IterationPlace, IterationResult, MemberRunner } from "./iteration.ts";
import { type LlmMember, specOf } from "./LlmMember.ts";
import type { LabelledSequences } from "./learntBatches.ts";
import { requireFinite, requireFitness } from "./requireFinite.ts";

export interface DatasetRunnerOptions {
  readonly agent: AgentOnDevice;
  readonly env: DatasetEnv;
  /** Number of batches in an evaluation. */
  readonly eval_loop: number;
  /** Number of held-out prompts whose answers are shown, at most a batch; 0 for none. */
  readonly shown: number;
}

/** 1 for columns whose next token belongs to a response: [rows, T - 1]. */
function responseMask(
  { rows, length, attention_mask }: Sequences,
  promptLength: (row: number) => number,
): Float32Array {
  const columns = length - 1;
  const mask = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let t = Math.max(1, promptLength(row)); t < length; t++)
      mask[row * columns + t - 1] = attention_mask[row * length + t] ?? 0;
  return mask;
}

/** Interleaves the rows of two arrays. */
function interleaved(a: Int32Array, b: Int32Array, width: number): Int32Array {
  const both = new Int32Array(a.length + b.length);
  for (let row = 0; row * width < a.length; row++) {
    both.set(a.subarray(row * width, (row + 1) * width), 2 * row * width);
    both.set(b.subarray(row * width, (row + 1) * width), (2 * row + 1) * width);
  }
  return both;
}

/** Converts a batch to labelled sequences. */
export function labelledSequences(batch: SftBatch | UnpairedBatch | PreferenceBatch): LabelledSequences {
  const { prompt_lengths } = batch;
  if ("input_ids" in batch) {
    const [rows = 0, length = 0] = batch.input_ids.shape;
    const sequences = {
      rows,
      length,
      input_ids: batch.input_ids.data,
      attention_mask: batch.attention_mask.data,
    };
    const given = "action_mask" in batch ? batch.action_mask : undefined;
    const behind = responseMask(sequences, (row) => (given ? 0 : (prompt_lengths[row] ?? 0)));
    return {
      sequences,
      action_mask: behind.map((own, i) => own * (given?.data[i] ?? 1)),
      ...("labels" in batch && { labels: Float32Array.from(batch.labels) }),
    };
  }
  const [pairs = 0, length = 0] = batch.chosen_input_ids.shape;
  const sequences = {
    rows: 2 * pairs,
    length,
    input_ids: interleaved(batch.chosen_input_ids.data, batch.rejected_input_ids.data, length),
    attention_mask: interleaved(batch.chosen_attention_mask.data, batch.rejected_attention_mask.data, length),
  };
  return { sequences, action_mask: responseMask(sequences, (row) => prompt_lengths[row >> 1] ?? 0) };
}

/** Sums over the masked columns of each row. */
function rowSums(values: Float32Array, mask: Float32Array, rows: number): number[] {
  const columns = values.length / Math.max(1, rows);
  return Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = row * columns; i < (row + 1) * columns; i++) sum += (values[i] ?? 0) * (mask[i] ?? 0);
    return sum;
  });
}

/** A pair of answers, or a single one of which it is known whether it is desirable; without beta. */
interface PairValues {
  /**
   * Log-ratio of the chosen answer to its reference less that of the rejected one; by token with `ipo`. A single answer
   * has no other, whose log-ratio is then 0.
   */
  readonly margin: number;
  /** What the chosen answer's log-probability has lost to the reference. */
  readonly lost: number;
  /** Tokens of the chosen answer. */
  readonly tokens: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const total = (pairs: readonly PairValues[], of: (pair: PairValues) => number): number =>
  pairs.reduce((sum, pair) => sum + of(pair), 0);

/**
 * The share of pairs whose chosen answer has gained more than the rejected one, less what chosen answers have lost to the
 * reference, in nats a token. So a policy is not fit that makes chosen answers unlikely, only rejected ones more so.
 */
export const accuracyOf = (pairs: readonly PairValues[]): number =>
  total(pairs, ({ margin }) => Number(margin > 0)) / Math.max(1, pairs.length) -
  Math.max(
    0,
    total(pairs, ({ lost }) => lost) /
      Math.max(
        1,
        total(pairs, ({ tokens }) => tokens),
      ),
  );

export class DatasetRunner implements MemberRunner {
  readonly #options: DatasetRunnerOptions;

  constructor(options: DatasetRunnerOptions) {
    const { agent, env } = options;
    const { objective } = agent.plan.algorithm.spec;
    if (objective !== env.objective) {
      throw new TypeError(
        `env: found a data set of objective "${env.objective}", allowed "${objective}" for ${agent.plan.spec.name}`,
      );
    }
    this.#options = options;
  }

  async iteration(member: LlmMember, { seed, slot }: IterationPlace): Promise<IterationResult> {
    const { agent, env } = this.#options;
    const spec = specOf(agent.plan.spec, member);
    agent.write(member.policy);
    env.position = member.updates;
    const epoch = env.num_epochs;
    if (epoch > member.epoch && agent.core.policy.shape.reference) await agent.core.policy.renewReference();
    const batch = env.reset();
    const labelled = labelledSequences(batch);
    const rows = batch.prompt_lengths.length;
    const { metrics, warnings } = await agent.core.learnLabelled(labelled, spec, {
      seed,
      slot,
      updates: member.updates,
    });
    const { loss = Number.NaN, reward_margin } = metrics;
    return {
      member: {
        ...member,
        policy: requireFinite(await agent.read(), slot),
        steps: member.steps + rows,
        updates: member.updates + 1,
        samples: member.samples + rows,
        epoch: Math.max(epoch, member.epoch),
        passes: env.num_epochs,
      },
      score: reward_margin ?? -loss,
      steps: rows,
      metrics,
      warnings,
      level: false,
      completions: () => [],
    };
  }

  /** @throws DivergedError for a fitness that is not finite. */
  async evaluate(member: LlmMember, place?: IterationPlace, episodes?: EpisodeRange): Promise<Evaluation> {
    const { agent, env, eval_loop: usual } = this.#options;
    const { fitness: measure } = env;
    const { batch_size } = agent.plan.spec;
    const batches = Math.max(usual, Math.ceil((episodes?.count ?? 0) / batch_size));
    const slot = place?.slot ?? member.index;
    agent.write(member.policy);
    if (measure === "exact_match" || measure === "rubric") {
      const { completions, reward_faults } = await greedyCompletions(
        agent,
        env.heldOut(batches * batch_size),
        env,
      );
      const returns = completions.map(({ reward }) => reward).filter((reward) => !Number.isNaN(reward));
      // Without a reward, the member is ranked last.
      const fitness = returns.length === 0 ? Number.NaN : mean(returns);
      return { fitness, returns, completions: completions.slice(0, this.#options.shown), reward_faults };
    }
    const values = measure === "likelihood" ? null : await this.pairs(member, batches);
    const fitness =
      values === null
        ? await this.#likelihood(batches)
        : measure === "margin"
          ? values.beta * mean(values.pairs.map(({ margin }) => margin))
          : accuracyOf(values.pairs);
    return {
      fitness: requireFitness(fitness, slot),
      returns: [],
      completions: await this.shownBy(member),
    };
  }

  /** The member's greedy answers to the first held-out prompts, for display. */
  async shownBy({ policy }: LlmMember): Promise<readonly LoggedCompletion[]> {
    const { agent, env, shown } = this.#options;
    if (shown === 0) return [];
    agent.write(policy);
    const rows = env.heldOut(Math.min(shown, agent.plan.spec.batch_size));
    return (await greedyCompletions(agent, rows, env)).completions;
  }

  /** Calls `use` with the first `count` batches of held-out rows, one after another. */
  #held(count: number, use: (labelled: LabelledSequences) => Promise<void>): Promise<void> {
    const { env } = this.#options;
    return env.evalMode(async () => {
      for (let batch = 0; batch < count; batch++) await use(labelledSequences(env.reset()));
    });
  }

  /** Mean log-likelihood of the tokens in the responses; of pairs, in the chosen ones, and of labelled ones in the desirable. @param batches Number of batches. */
  async #likelihood(batches: number): Promise<number> {
    const step = this.#options.env.objective === "preference" ? 2 : 1;
    let [sum, count] = [0, 0];
    await this.#held(batches, async ({ sequences, action_mask, labels }) => {
      const log_probs = await this.#options.agent.core.logProbs("actor", sequences, 1);
      const tokens = rowSums(new Float32Array(log_probs.length).fill(1), action_mask, sequences.rows);
      for (const [row, own] of rowSums(log_probs, action_mask, sequences.rows).entries()) {
        if (row % step !== 0 || labels?.[row] === 0) continue;
        sum += own;
        count += tokens[row] ?? 0;
      }
    });
    return sum / Math.max(1, count);
  }

  /**
   * Held-out pairs, or labelled answers, as the policy that was written last sees them.
   * @param batches Number of batches.
   */
  async pairs(
    member: LlmMember,
    batches: number,
  ): Promise<{ readonly pairs: readonly PairValues[]; readonly beta: number }> {
    const { core, plan } = this.#options.agent;
    const { algorithm } = plan;
    const spec = specOf(plan.spec, member) as DPOSpec | KTOSpec; // no others learn from pairs and labelled answers
    const { beta } = spec;
    const compares = algorithm.kind === "dataset" && algorithm.reference(spec);
    const pairs: PairValues[] = [];
    await this.#held(batches, async ({ sequences, action_mask, labels }) => {
      const { rows } = sequences;
      const actor = await core.logProbs("actor", sequences, 1);
      const reference = compares ? await core.logProbs("reference", sequences, 1) : null;
      const ratios = reference ? actor.map((value, i) => value - (reference[i] ?? 0)) : actor;
      const sums = rowSums(ratios, action_mask, rows);
      const tokens = rowSums(new Float32Array(ratios.length).fill(1), action_mask, rows);
      const rewards =
        spec.name === "DPO" && isMeanReward(spec)
          ? sums.map((x, i) => x / Math.max(1, tokens[i] ?? 0))
          : sums;
      if (labels)
        for (const [row, label] of labels.entries())
          pairs.push({
            margin: (label === 1 ? 1 : -1) * (sums[row] ?? 0),
            lost: -label * (sums[row] ?? 0),
            tokens: label * (tokens[row] ?? 0),
          });
      else
        for (let row = 0; row < rows; row += 2)
          pairs.push({
            margin: (rewards[row] ?? 0) - (rewards[row + 1] ?? 0),
            lost: reference ? -(sums[row] ?? 0) : 0,
            tokens: tokens[row] ?? 0,
          });
    });
    return { pairs, beta };
  }

  async close(): Promise<void> {}
}
