/** The end token that a policy sampled is an action of it: it is in the mask and in the loss. */
import { describe, expect, it } from "vitest";
import { collate } from "../../../../src/llm/agents/collectRollouts.ts";
import { RolloutHarness } from "../../../../src/llm/environments.ts";
import { LanguageModel } from "../../../../src/llm/index.ts";
import { AGENTS, ROLLOUT_NAMES } from "../../support/languageAgents.ts";

const digits = await LanguageModel.load("rlkit/tiny-digits");
const { tokenizer } = digits;
const { eos_token_id: END } = tokenizer;
const PROMPT = [0, 1];

it("a sampled one is masked as an action; a cut answer has none, and its last token is one", async () => {
  const agent = AGENTS.GRPO(digits, { max_output_tokens: 4 });
  const { completion_ids, action_masks } = await agent.getAction(Array.from({ length: 32 }, () => PROMPT));
  const ended = completion_ids.filter((ids) => ids.at(-1) === END);
  expect(ended.length).toBeGreaterThan(4);
  expect(ended.length).toBeLessThan(28);
  for (const [row, ids] of completion_ids.entries()) {
    expect(Array.from(action_masks[row] ?? [])).toEqual([0, ...Array(ids.length - 2).fill(1)]);
    expect(ids.subarray(2, -1)).not.toContain(END);
    expect(ids.at(-1) === END || ids.length === 6).toBe(true);
  }
  // As in a run, where the end token also fills the batch.
  const harness = RolloutHarness.local("rlkit/ConstantTarget", { tokenizer });
  const [{ input_ids }] = await harness.reset();
  await harness.step([...input_ids, 3, END ?? -1]);
  const short = harness.getEpisodeData();
  await harness.reset();
  await harness.step([...input_ids, 3, 3, 3]);
  const batch = collate([short, harness.getEpisodeData()], 1, END ?? -1);
  const before = Array(input_ids.length - 1).fill(0);
  expect(Array.from(batch.action_mask)).toEqual([...before, 1, 1, 0, ...before, 1, 1, 1]);
});

describe.each(ROLLOUT_NAMES)("%s", (name) => {
  const own = {
    batch_size: 8,
    max_output_tokens: 6,
    max_grad_norm: 1,
    beta: 0,
    temperature: 1,
    top_p: 1,
    top_k: 0,
  };
  const fast = name === "LLMPPO" ? { lr_actor: 0.01 } : { lr: 0.01 };

  it("learns to end at once where it earns minus the length", async () => {
    const agent = AGENTS[name](digits, {
      ...own,
      ...fast,
      ...(name.startsWith("LLM") ? {} : { group_size: 8 }),
    });
    const lengths: number[] = [];
    for (let step = 0; step < 20; step++) {
      const { completion_ids, action_masks } = await agent.getAction(
        Array.from({ length: 64 }, () => PROMPT),
      );
      const longest = Math.max(...completion_ids.map(({ length }) => length));
      const filled = (values: ArrayLike<number>, length: number, fill: number) => [
        ...Array.from(values),
        ...Array<number>(length - values.length).fill(fill),
      ];
      const rewards = completion_ids.map(({ length }) => 2 - length);
      lengths.push(-rewards.reduce((a, b) => a + b) / 64);
      await agent.learn({
        input_ids: completion_ids.map((ids) => filled(ids, longest, END ?? 0)),
        attention_mask: completion_ids.map((ids) => filled(Array(ids.length).fill(1), longest, 0)),
        action_mask: action_masks.map((mask) => filled(mask, longest - 1, 0)),
        rewards,
      });
    }
    expect(lengths[0]).toBeGreaterThan(2.5);
    expect(lengths.at(-1)).toBeLessThan(1.2);
    agent.close();
  });
});
