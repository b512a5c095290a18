/** Samples of a population's completions, for display. Pure functions; the caller writes the records. */
import { Random } from "../../evolution/random.ts";
import type { CompletionLoggingConfig, CompletionRecord } from "../../specs/sections.ts";

/** A completion for the log. */
export interface LoggedCompletion {
  /** Position of its prompt's group in the batch. */
  readonly group: number;
  /** Position in the group. */
  readonly sample: number;
  /** Sum of the rewards over all turns. */
  readonly reward: number;
  readonly num_turns: number;
  /** Number of tokens that the policy generated. */
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
  /** Mean advantage of the generated tokens; absent if nothing was learned from them. */
  readonly advantage?: number;
}

/**
 * Limits a text to `max_chars` characters: a longer text is cut in the middle, with a
 * note of how many are missing.
 */
export function truncateText(text: string, max_chars: number): string {
  if (text.length <= max_chars) return text;
  const characters = Array.from(text);
  const missing = characters.length - max_chars;
  if (missing <= 0) return text;
  const head = characters.slice(0, Math.ceil(max_chars / 2)).join("");
  const tail = characters.slice(Math.ceil(max_chars / 2) + missing).join("");
  return `${head}\n... ${missing} chars truncated ...\n${tail}`;
}

/**
 * Records of a random sample of a member's completion groups, with truncated texts.
 * The seed determines the sample.
 *
 * @param step Outer iteration.
 * @internal
 */
export function sampledRecords(
  step: number,
  agent_index: number,
  completions: readonly LoggedCompletion[],
  { seed, num_groups, max_chars }: CompletionLoggingConfig,
): readonly CompletionRecord[] {
  const groups = [...new Set(completions.map(({ group }) => group))];
  const random = new Random({ seed: seed >>> 0, stream: "completions", slot: agent_index, generation: step });
  const sampled = new Set(random.sample(groups, num_groups));
  return completions
    .filter(({ group }) => sampled.has(group))
    .map(({ group, sample, reward, num_turns, completion_tokens, prompt, completion, advantage }) => ({
      step,
      agent_index,
      group_index: group,
      sample_index: sample,
      reward,
      num_turns,
      completion_tokens,
      prompt: truncateText(prompt, max_chars),
      completion: truncateText(completion, max_chars),
      ...(advantage === undefined ? {} : { advantage }),
    }));
}
