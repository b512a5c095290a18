import { describe, expect, it } from "vitest";
import {
  CompletionLog,
  type LoggedTrajectory,
  truncateText,
} from "../../../src/llm/environments/completionLog.ts";
import { CompletionLoggingConfig } from "../../../src/specs/CompletionLoggingConfig.ts";

const trajectory = (prompt: string, made: string[] = []): LoggedTrajectory => ({
  rewards: Float32Array.of(1, 0.5, 0),
  num_turns: 2,
  completion_tokens: 3,
  texts: () => {
    made.push(prompt);
    return { prompt, completion: "abc" };
  },
});

/** Four groups of two for each of two members. */
const rollouts = (made: string[] = []) =>
  [0, 5].map((agent_index) => ({
    agent_index,
    groups: Array.from({ length: 4 }, (_, group) =>
      [0, 1].map((i) => trajectory(`${agent_index}.${group}.${i}`, made)),
    ),
  }));

const logOf = (config: Partial<CompletionLoggingConfig> = {}) =>
  new CompletionLog(CompletionLoggingConfig.parse(config));

describe("the log of completions", () => {
  it("writes one batch of records with all members every interval, in the order of its fields", () => {
    const log = logOf({ interval: 2, num_groups: 1 });
    expect(log.add(1, rollouts())).toBeNull();
    const made: string[] = [];
    const records = log.add(2, rollouts(made)) ?? [];
    expect(records.map(({ agent_index, sample_index }) => [agent_index, sample_index])).toEqual([
      [0, 0],
      [0, 1],
      [5, 0],
      [5, 1],
    ]);
    expect(made).toEqual(records.map(({ prompt }) => prompt));
    const [first] = records;
    expect(Object.keys(first ?? {})).toEqual([
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
    expect(first).toMatchObject({
      step: 2,
      reward: 1.5,
      num_turns: 2,
      completion_tokens: 3,
      completion: "abc",
    });
    expect(first?.prompt).toBe(`0.${first?.group_index}.0`);
  });

  it("samples groups by its seed, other ones in other iterations", () => {
    const groups = (seed: number) => {
      const log = logOf({ interval: 1, seed });
      return Array.from({ length: 20 }, (_, step) => log.add(step, rollouts())?.[0]?.group_index);
    };
    expect(groups(0)).toEqual(groups(0));
    expect(groups(0)).not.toEqual(groups(1));
    expect(new Set(groups(0)).size).toBe(4);
    const all = logOf({ interval: 1, num_groups: 9 }).add(1, rollouts()) ?? [];
    expect(all.map(({ group_index }) => group_index)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3,
    ]);
  });

  it("keeps the latest records, written or not", () => {
    const log = logOf({ interval: 10, history_size: 3 });
    log.add(1, rollouts());
    log.add(2, rollouts());
    expect(
      log.history.map(({ step, agent_index, sample_index }) => [step, agent_index, sample_index]),
    ).toEqual([
      [2, 0, 1],
      [2, 5, 0],
      [2, 5, 1],
    ]);
  });

  it("keeps head and tail of long texts", () => {
    expect(truncateText("abcdef", 6)).toBe("abcdef");
    expect(truncateText("abcdefgh", 5)).toBe("abc\n... 3 chars truncated ...\ngh");
    expect(truncateText("ab", 1)).toBe("a\n... 1 chars truncated ...\n");
    expect(truncateText("😀😀😀", 3)).toBe("😀😀😀");
    expect(truncateText("😀😁😂", 2)).toBe("😀\n... 1 chars truncated ...\n😂");
    const [record] = logOf({ interval: 1, max_chars: 2 }).add(1, rollouts()) ?? [];
    expect(record?.completion).toBe("a\n... 1 chars truncated ...\nc");
  });
});
