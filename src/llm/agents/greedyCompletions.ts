/** Greedy answers to the prompts of labelled rows. */
import type { EncodedRow } from "../data/batches.ts";
import type { DatasetEnv } from "../data/DatasetEnv.ts";
import { cellText } from "../data/rows.ts";
import { drawOf, generate } from "../engine/generate.ts";
import type { LoggedCompletion } from "../environments/completionLog.ts";
import { counted, type RewardFault, readScore } from "../environments/rewards.ts";
import { rewardOf } from "../environments/rubrics.ts";
import { SamplingSettings } from "../sampling/SamplingSettings.ts";
import { StopStrings } from "../sampling/StopStrings.ts";
import { endTokens } from "../tokenizers/AbsentTokenizer.ts";
import type { AgentOnDevice } from "./AgentOnDevice.ts";

/** Ids that an answer to a rubric may have beyond those of the row's own answer, as it may say the same in more words. */
const MORE_WORDS = 32;

export interface GreedyAnswers {
  readonly completions: readonly LoggedCompletion[];
  /** What a rubric gave in place of rewards. */
  readonly reward_faults: readonly RewardFault[];
}

/** Prompt and preferred answer of a row; of several turns, the first. */
function targetOf({ prompt, answers, own }: EncodedRow) {
  const [answer = new Int32Array(0)] = answers;
  const next = own?.indexOf(0) ?? -1;
  return { prompt, response: next < 0 ? answer : answer.subarray(0, next) };
}

/**
 * The most likely answers to the prompts of rows. Without a rubric, an answer is at most as long as the row's, and its
 * reward is 1 if it equals that, else 0. A rubric's `answer` is the row's column "answer" or, where it has none, its
 * preferred answer.
 * @throws Error of a rubric, or for weights that do not suit it.
 */
export async function greedyCompletions(
  agent: AgentOnDevice,
  rows: readonly EncodedRow[],
  { rubric = null, reward_weights = null }: Partial<Pick<DatasetEnv, "rubric" | "reward_weights">> = {},
): Promise<GreedyAnswers> {
  const { tokenizer } = agent.plan.parts;
  const ends = endTokens(tokenizer);
  const settings = SamplingSettings.parse({ temperature: 0, stop_tokens: ends });
  const text = (ids: Int32Array): string => {
    const last = ids.at(-1);
    return tokenizer.decode(last !== undefined && ends.includes(last) ? ids.subarray(0, -1) : ids);
  };
  const completions: LoggedCompletion[] = [];
  const faults: RewardFault[] = [];
  const { batch_size: together, stop_strings } = agent.plan.spec;
  const stops = StopStrings.of(stop_strings, tokenizer);
  for (let start = 0; start < rows.length; start += together) {
    const batch = rows.slice(start, start + together);
    const targets = batch.map(targetOf);
    const most = targets.map(({ prompt, response }) =>
      Math.min(response.length + (rubric ? MORE_WORDS : 0), agent.max_model_len - prompt.length),
    );
    const longest = Math.max(...targets.map(({ prompt }, i) => prompt.length + (most[i] ?? 0)));
    const written = await generate(
      await agent.decoding(batch.length, longest),
      targets.map(({ prompt }) => prompt),
      { settings, stops, most, draw: drawOf(0, 0, 0) },
    );
    for (const [i, { prompt, response }] of targets.entries()) {
      const ids = written[i]?.ids ?? new Int32Array(0);
      const row = batch[i]?.row ?? {};
      const answer = row.answer === undefined ? text(response) : cellText(row.answer);
      const isEqual = ids.length === response.length && ids.every((id, t) => id === response[t]);
      const reward = rubric
        ? readScore(await rewardOf(rubric, text(ids), answer, row), "rubric", faults, reward_weights).reward
        : Number(isEqual);
      completions.push({
        group: start + i,
        sample: 0,
        reward,
        num_turns: 1,
        completion_tokens: ids.length,
        prompt: tokenizer.decode(prompt),
        completion: tokenizer.decode(ids),
      });
    }
  }
  return { completions, reward_faults: counted(faults) };
}
