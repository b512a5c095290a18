import { z } from "zod";
import { atLeast, field, fraction, integer } from "../../specs/checks.ts";

/** Settings for sampling the next token from a row of logits. Rules apply in the order of the fields. */
export const SamplingSettings = z
  .strictObject({
    repetition_penalty: field(
      atLeast(0).gt(0).default(1),
      "Divides the positive logits of ids that have occurred, and multiplies the negative ones; 1 means no penalty.",
    ),
    min_output_tokens: field(
      integer(0).nullable().default(null),
      "Excludes stop tokens until a completion has this many tokens.",
      { unit: "tokens" },
    ),
    suppress_tokens: field(z.array(integer(0)).readonly().default([]), "Ids that are never sampled."),
    temperature: field(
      atLeast(0).default(1),
      "Divides the logits; 0 selects the most likely token, or the lowest id among equals.",
    ),
    top_k: field(integer(0).default(0), "Samples from this many of the most likely tokens; 0 means all."),
    top_p: field(
      fraction().default(1),
      "Samples from the smallest set of most likely tokens with at least this total probability; 1 means all.",
    ),
    min_p: field(
      fraction().default(0),
      "Excludes tokens with less than this fraction of the highest probability.",
    ),
    stop_tokens: field(z.array(integer(0)).readonly().default([]), "Ids that end a completion."),
    log_prob_temperature: field(
      atLeast(0).gt(0).nullable().default(null),
      "Temperature of the log-probability. Defaults to `temperature`, or 1 if that is 0.",
    ),
  })
  .readonly();
export type SamplingSettings = z.output<typeof SamplingSettings>;
export type SamplingSettingsInput = z.input<typeof SamplingSettings>;
