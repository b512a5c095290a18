import type { CompletionRecord, CompletionsReport } from "../../src/tracking/observer.ts";

/** A record of a completion; what is not given is as in the first of a run. */
export const completionRecord = (changes: Partial<CompletionRecord> = {}): CompletionRecord => ({
  step: 1,
  agent_index: 0,
  group_index: 0,
  sample_index: 0,
  reward: -1,
  num_turns: 1,
  completion_tokens: 1,
  prompt: "3",
  completion: "4",
  ...changes,
});

/** A report of a generation with so many records, of a text of so many characters. */
export const completionsReport = (generation: number, records = 1, characters = 1): CompletionsReport => ({
  event: "completions",
  generation,
  records: Array.from({ length: records }, (_, sample_index) =>
    completionRecord({ step: generation, sample_index, completion: "4".repeat(characters) }),
  ),
});
