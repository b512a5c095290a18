import { z } from "zod";
import { atLeast, field, fraction, integer } from "../../specs/field.ts";

/** Settings for sampling the next token from a row of logits. Rules apply in the order of the fields. */
export const SamplingSettings = z
  .strictObject({
    repetition_penalty: field(
      atLeast(0).gt(0).default(1),
      "Logits of ids that occurred are divided by it where positive, else multiplied; 1 for none.",
    ),
    min_output_tokens: field(
      integer(0).nullable().default(null),
      "Stop tokens are out until a completion has so many.",
      { unit: "tokens" },
    ),
    suppress_tokens: field(z.array(integer(0)).readonly().default([]), "Ids that are never drawn."),
    temperature: field(
      atLeast(0).default(1),
      "Logits are divided by it; 0 takes the likeliest token, the lowest id of equals.",
    ),
    top_k: field(integer(0).default(0), "Draws among so many of the likeliest tokens; 0 for all."),
    top_p: field(
      fraction().default(1),
      "Draws among the fewest of the likeliest tokens that make up this share; 1 for all.",
    ),
    min_p: field(fraction().default(0), "Leaves out tokens less likely than this share of the likeliest."),
    stop_tokens: field(z.array(integer(0)).readonly().default([]), "Ids that end a completion."),
    log_prob_temperature: field(
      atLeast(0).gt(0).nullable().default(null),
      "Temperature of the log-probability; unset, `temperature`, or 1 where that is 0.",
    ),
  })
  .readonly();
export type SamplingSettings = z.output<typeof SamplingSettings>;
export type SamplingSettingsInput = z.input<typeof SamplingSettings>;
