/** Completions of data set prompts, for display. */
import type { SftBatch } from "../data/batches.ts";
import { drawOf, generate } from "../engine/generate.ts";
import type { LoggedCompletion } from "../environments/completionLog.ts";
import { SamplingSettings } from "../sampling/SamplingSettings.ts";
import { endTokens } from "../tokenizers/AbsentTokenizer.ts";
import type { AgentOnDevice } from "./AgentOnDevice.ts";

/**
 * The most likely completions of a batch's first prompts, each at most as long as its response. The reward is
 * 1 for a completion equal to the response, else 0.
 * @param most Upper bound on the prompts.
 */
export async function greedyCompletions(
  agent: AgentOnDevice,
  batch: SftBatch,
  most: number,
): Promise<readonly LoggedCompletion[]> {
  const { tokenizer } = agent.plan.parts;
  const [rows = 0, length = 0] = batch.input_ids.shape;
  const count = Math.min(most, rows);
  const sequences = Array.from({ length: count }, (_, row) => {
    const all = batch.attention_mask.data.subarray(row * length, (row + 1) * length).lastIndexOf(1) + 1;
    const start = batch.prompt_lengths[row] ?? 0;
    // Of several turns, the first.
    const own = batch.action_mask?.data.subarray(row * (length - 1), (row + 1) * (length - 1));
    const next = own?.indexOf(0, Math.max(0, start - 1)) ?? -1;
    const end = next < 0 ? all : Math.min(all, next + 1);
    const ids = batch.input_ids.data.subarray(row * length, row * length + end);
    return { prompt: ids.subarray(0, start), response: ids.subarray(start) };
  });
  const longest = sequences.reduce(
    (all, { prompt, response }) => Math.max(all, prompt.length + response.length),
    0,
  );
  const written = await generate(
    await agent.decoding(count, longest),
    sequences.map(({ prompt }) => prompt),
    {
      settings: SamplingSettings.parse({ temperature: 0, stop_tokens: endTokens(tokenizer) }),
      most: sequences.map(({ prompt, response }) =>
        Math.min(response.length, agent.max_model_len - prompt.length),
      ),
      draw: drawOf(0, 0, 0),
    },
  );
  return sequences.map(({ prompt, response }, i) => {
    const ids = written[i]?.ids ?? new Int32Array(0);
    const right = ids.length === response.length && ids.every((id, t) => id === response[t]);
    return {
      group: i,
      sample: 0,
      reward: right ? 1 : 0,
      num_turns: 1,
      completion_tokens: ids.length,
      prompt: tokenizer.decode(prompt),
      completion: tokenizer.decode(ids),
    };
  });
}
