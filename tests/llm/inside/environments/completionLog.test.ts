import { describe, expect, it } from "vitest";
import { truncateText } from "../../../../src/llm/environments/completionLog.ts";
import { sampledRecords } from "../../../../src/llm/environments.ts";
import { CompletionLoggingConfig } from "../../../../src/manifests/index.ts";

/** Four groups of two completions. */
const completions = Array.from({ length: 8 }, (_, i) => ({
  group: i >> 1,
  sample: i % 2,
  reward: 1.5,
  num_turns: 2,
  completion_tokens: 3,
  prompt: `${i >> 1}.${i % 2}`,
  completion: "abc",
}));

const sampled = (step: number, config: Partial<CompletionLoggingConfig> = {}, agent = 0) =>
  sampledRecords(step, agent, completions, CompletionLoggingConfig.parse(config));

describe("completions that are sampled for the log", () => {
  it("are whole groups, as records in the order of their fields", () => {
    const records = sampled(2, {}, 5);
    expect(records.map(({ agent_index, sample_index }) => [agent_index, sample_index])).toEqual([
      [5, 0],
      [5, 1],
    ]);
    expect(Object.keys(records[0] ?? {})).toEqual([
      "step",
      "agent_index",
      "group_index",
      "sample_index",
      "reward",
      "num_turns",
      "completion_tokens",
      "prompt",
      "completion",
    ]);
    expect(records[0]).toMatchObject({ step: 2, reward: 1.5, num_turns: 2, completion_tokens: 3 });
    expect(records[0]?.prompt).toBe(`${records[0]?.group_index}.0`);
  });

  it("are chosen by the seed, other ones in other iterations", () => {
    const groups = (seed: number) =>
      Array.from({ length: 20 }, (_, step) => sampled(step, { seed })[0]?.group_index);
    expect(groups(0)).toEqual(groups(0));
    expect(groups(0)).not.toEqual(groups(1));
    expect(new Set(groups(0)).size).toBe(4);
    const all = sampled(1, { num_groups: 9 });
    expect(all.map(({ group_index }) => group_index)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it("keep head and tail of long texts", () => {
    expect(truncateText("abcdef", 6)).toBe("abcdef");
    expect(truncateText("abcdefgh", 5)).toBe("abc\n... 3 chars truncated ...\ngh");
    expect(truncateText("ab", 1)).toBe("a\n... 1 chars truncated ...\n");
    expect(truncateText("😀😀😀", 3)).toBe("😀😀😀");
    expect(truncateText("😀😁😂", 2)).toBe("😀\n... 1 chars truncated ...\n😂");
    expect(sampled(1, { max_chars: 2 })[0]?.completion).toBe("a\n... 1 chars truncated ...\nc");
  });
});
