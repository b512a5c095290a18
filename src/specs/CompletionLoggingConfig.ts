import { z } from "zod";
import { field, integer } from "./field.ts";

/**
 * Which sampled completions language-model training records, and where.
 *
 * @example
 * ```ts
 * const logging: CompletionLoggingConfig = CompletionLoggingConfig.parse({ jsonl_path: "completions.jsonl" });
 * ```
 */
export const CompletionLoggingConfig = z
  .strictObject({
    interval: field(integer(1).default(10), "Iterations between two records."),
    num_groups: field(integer(1).default(1), "Prompt groups sampled for a record."),
    max_chars: field(
      integer(1).default(2000),
      "Maximum length of a recorded text; longer texts keep their beginning and end.",
      {
        unit: "characters",
      },
    ),
    history_size: field(integer(1).default(8), "Latest records kept in case training fails."),
    jsonl_path: field(
      z.string().nullable().default(null),
      "File to which records are appended, one JSON object per line. A resumed run leaves out those after its checkpoint.",
    ),
    seed: field(z.int().default(0), "Seed of the sampling."),
  })
  .readonly();
export type CompletionLoggingConfig = z.output<typeof CompletionLoggingConfig>;

/** A sampled completion of a language model; keys are in the order in which they are written. */
export interface CompletionRecord {
  /** Outer iteration, 1 for the first. */
  readonly step: number;
  /** Position in the population. */
  readonly agent_index: number;
  /** Position of its prompt's group in the batch. */
  readonly group_index: number;
  /** Position in the group. */
  readonly sample_index: number;
  /** Sum over turns. */
  readonly reward: number;
  readonly num_turns: number;
  readonly completion_tokens: number;
  readonly prompt: string;
  readonly completion: string;
  /**
   * Mean advantage of its generated tokens, as the algorithm learned from them; absent in logs of earlier versions, and
   * where nothing was learned from it.
   */
  readonly advantage?: number;
}
