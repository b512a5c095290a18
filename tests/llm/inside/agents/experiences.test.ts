/** Batches that callers give: what is read, and what is refused by name. */
import { describe, expect, it } from "vitest";
import { readPairs, readResponses, readRollouts } from "../../../../src/llm/agents/experiences.ts";
import type { PreferenceExperiences, RolloutExperiences } from "../../../../src/llm/index.ts";

const LIMITS = { vocab_size: 7, max_model_len: 5 };

const ROLLOUTS: RolloutExperiences = {
  input_ids: [
    [1, 2, 3, 4],
    [1, 2, 5, 6],
  ],
  attention_mask: [
    [1, 1, 1, 1],
    [1, 1, 1, 0],
  ],
  action_mask: [
    [0, 1, 1],
    [0, 1, 0],
  ],
  turn_ids: [
    [-1, 0, 1],
    [-1, 0, -1],
  ],
  rewards: [1, 0.5],
};

describe("readRollouts", () => {
  it("reads nested arrays, typed rows, and arrays in one piece with their shape alike", () => {
    const nested = readRollouts(ROLLOUTS, LIMITS);
    const shaped = (rows: unknown, type: Int32ArrayConstructor | Float32ArrayConstructor) => ({
      shape: [2, (rows as number[][])[0]?.length ?? 0],
      data: type.from((rows as number[][]).flat()),
    });
    const typed = readRollouts(
      {
        ...ROLLOUTS,
        input_ids: (ROLLOUTS.input_ids as number[][]).map((row) => Int32Array.from(row)),
        attention_mask: shaped(ROLLOUTS.attention_mask, Int32Array),
        action_mask: shaped(ROLLOUTS.action_mask, Float32Array),
        rewards: Float32Array.of(1, 0.5),
      },
      LIMITS,
    );
    expect(typed).toEqual(nested);
    expect(nested.sequences).toMatchObject({ rows: 2, length: 4 });
  });

  it("gives a sequence's reward to its last turn, and takes rewards of each turn as they are", () => {
    expect(readRollouts(ROLLOUTS, LIMITS)).toMatchObject({
      turns: 2,
      rewards: Float32Array.of(0, 1, 0.5, 0),
    });
    const each = {
      ...ROLLOUTS,
      rewards: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    };
    expect(readRollouts(each, LIMITS)).toMatchObject({
      turns: 3,
      rewards: Float32Array.of(1, 2, 3, 4, 5, 6),
    });
  });

  it("takes what is not said as no padding and one turn, and ignores what it does not know", () => {
    const { attention_mask: _mask, turn_ids: _turns, ...rest } = ROLLOUTS;
    const read = readRollouts({ ...rest, completions: ["a"] } as RolloutExperiences, LIMITS);
    expect(read.sequences.attention_mask).toEqual(new Int32Array(8).fill(1));
    expect(read.turn_ids).toEqual(Int32Array.of(-1, 0, 0, -1, 0, -1));
    expect([read.turns, read.old_log_probs, read.reference_log_probs]).toEqual([1, undefined, undefined]);
  });

  it.each([
    ["no object", null, /experiences: found null/],
    ["ids that are missing", { input_ids: undefined }, /experiences.input_ids: missing/],
    [
      "an id outside the vocabulary",
      {
        input_ids: [
          [1, 2, 3, 4],
          [1, 2, 7, 6],
        ],
      },
      /input_ids\[1\]\[2\]: found 7, allowed whole numbers from 0 to 6/,
    ],
    ["a broken id", { input_ids: [[1, 2.5, 3, 4]] }, /input_ids\[0\]\[1\]: found 2.5/],
    [
      "rows of different lengths",
      {
        input_ids: [
          [1, 2, 3, 4],
          [1, 2],
        ],
      },
      /input_ids\[1\]: found shape \[2\], allowed \[4\].*pad it/,
    ],
    [
      "too long sequences",
      { input_ids: [[1, 1, 1, 1, 1, 1]] },
      /input_ids: found sequences of 6 tokens, allowed 5/,
    ],
    [
      "sequences of one token",
      { input_ids: [[1], [2]], attention_mask: null },
      /input_ids: found sequences of 1 token/,
    ],
    ["no sequence", { input_ids: { shape: [0, 4], data: [] } }, /input_ids: found no sequence/],
    [
      "a mask of another shape",
      { attention_mask: [[1, 1, 1, 1]] },
      /attention_mask: found shape \[1, 4\], allowed \[2, 4\]/,
    ],
    [
      "a mask of something else",
      {
        action_mask: [
          [0, 2, 1],
          [0, 1, 0],
        ],
      },
      /action_mask\[0\]\[1\]: found 2/,
    ],
    [
      "a mask as wide as the ids",
      { action_mask: ROLLOUTS.attention_mask },
      /action_mask: found shape \[2, 4\], allowed \[2, 3\]/,
    ],
    [
      "an action of no turn",
      {
        turn_ids: [
          [-1, -1, 0],
          [-1, 0, -1],
        ],
      },
      /turn_ids\[0\]\[1\]: found -1 where action_mask is 1/,
    ],
    ["turns without rewards", { rewards: [[1], [0]] }, /turn_ids: found turn 1, allowed 0 to 0/],
    [
      "rewards of others",
      { rewards: [1, 2, 3] },
      /rewards: found shape \[3\], allowed \[2\] or \[2, turns\]/,
    ],
    [
      "log-probabilities of infinity",
      {
        old_log_probs: [
          [0, -Infinity, 0],
          [0, 0, 0],
        ],
      },
      /old_log_probs\[0\]\[1\]: found -Infinity/,
    ],
    [
      "data that does not fill its shape",
      { reference_log_probs: { shape: [2, 3], data: [0] } },
      /reference_log_probs: found 1 numbers for shape \[2, 3\]/,
    ],
    ["a text", { input_ids: "abc" }, /input_ids: found a string/],
  ])("refuses %s", (_what, change, message) => {
    const batch = change === null ? null : { ...ROLLOUTS, ...change };
    expect(() => readRollouts(batch as RolloutExperiences, LIMITS)).toThrow(message);
  });
});

describe("readResponses", () => {
  it("marks the responses' tokens, not the prompt's nor padding", () => {
    const batch = {
      input_ids: ROLLOUTS.input_ids,
      attention_mask: [
        [1, 1, 1, 1],
        [1, 1, 1, 0],
      ],
      prompt_lengths: [2, 1],
    };
    const { action_mask } = readResponses(batch, LIMITS);
    expect(action_mask).toEqual(Float32Array.of(0, 1, 1, 1, 1, 0));
    expect(() => readResponses({ ...batch, prompt_lengths: [2, 5] }, LIMITS)).toThrow(
      /prompt_lengths\[1\]: found 5, allowed whole numbers from 0 to 4/,
    );
    expect(() => readResponses({ ...batch, prompt_lengths: [2] }, LIMITS)).toThrow(
      /prompt_lengths: found shape \[1\]/,
    );
  });

  it("takes the mask of a conversation instead, but no padding", () => {
    const batch = {
      input_ids: ROLLOUTS.input_ids,
      attention_mask: [
        [1, 1, 1, 1],
        [1, 1, 1, 0],
      ],
      prompt_lengths: [1, 1],
      action_mask: [
        [1, 0, 1],
        [0, 1, 1],
      ],
    };
    expect(readResponses(batch, LIMITS).action_mask).toEqual(Float32Array.of(1, 0, 1, 0, 1, 0));
    expect(() => readResponses({ ...batch, action_mask: [[1, 0, 1]] }, LIMITS)).toThrow(
      /action_mask: found shape \[1, 3\], allowed \[2, 3\]/,
    );
  });
});

describe("readPairs", () => {
  const pairs: PreferenceExperiences = {
    chosen_input_ids: [[1, 2, 3]],
    chosen_attention_mask: [[1, 1, 1]],
    rejected_input_ids: [[1, 4, 0]],
    rejected_attention_mask: [[1, 1, 0]],
    prompt_lengths: [1],
  };

  it("puts chosen before rejected, pair by pair", () => {
    const { sequences, action_mask } = readPairs(pairs, LIMITS);
    expect(sequences).toMatchObject({ rows: 2, length: 3, input_ids: Int32Array.of(1, 2, 3, 1, 4, 0) });
    expect(action_mask).toEqual(Float32Array.of(1, 1, 1, 0));
  });

  it("refuses sides of different shapes, by name", () => {
    const wider = { ...pairs, rejected_input_ids: [[1, 4, 0, 0]], rejected_attention_mask: [[1, 1, 0, 0]] };
    expect(() => readPairs(wider, LIMITS)).toThrow(
      /rejected_input_ids: found shape \[1, 4\], allowed \[1, 3\]/,
    );
    expect(() => readPairs({ ...pairs, chosen_input_ids: [[1, 2, 9]] }, LIMITS)).toThrow(
      /chosen_input_ids\[0\]\[2\]/,
    );
  });
});
