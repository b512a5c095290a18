/** Rollouts as batches, and whether what learns is what acted. */
import { describe, expect, it } from "vitest";
import { collate } from "../../../../src/llm/agents/collectRollouts.ts";
import { readRollouts } from "../../../../src/llm/agents/experiences.ts";
import type { LlmSpec } from "../../../../src/llm/algorithms.ts";
import { Episode } from "../../../../src/llm/environments/Episode.ts";
import { AGENTS, digits, played } from "../../support/languageAgents.ts";

/** A prompt, an answer, feedback, another answer. */
function episode(log_probs: boolean): Episode {
  const made = new Episode();
  made.append([0, 1]);
  made.appendTurn([2, 3], 0.5, log_probs ? [-1, -2] : null);
  made.append([4]);
  made.appendTurn([1], 1, log_probs ? [-3] : null);
  return made;
}

function short(): Episode {
  const made = new Episode();
  made.append([0]);
  made.appendTurn([6], 0, [-4]);
  return made;
}

describe("collate", () => {
  it("pads episodes to one length, and puts log-probabilities where their tokens are", () => {
    const batch = collate([episode(true).data(2), short().data(2)], 2, 5);
    expect(batch).toEqual({
      sequences: {
        rows: 2,
        length: 6,
        input_ids: Int32Array.of(0, 1, 2, 3, 4, 1, 0, 6, 5, 5, 5, 5),
        attention_mask: Int32Array.of(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
      },
      turns: 2,
      action_mask: Float32Array.of(0, 1, 1, 0, 1, 1, 0, 0, 0, 0),
      turn_ids: Int32Array.of(-1, 0, 0, -1, 1, 0, -1, -1, -1, -1),
      rewards: Float32Array.of(0.5, 1, 0, 0),
      sampling_log_probs: Float32Array.of(0, -1, -2, 0, -3, -4, 0, 0, 0, 0),
    });
  });

  it("leaves them out where an episode has none", () => {
    expect(collate([episode(false).data(2), short().data(2)], 2, 5)).not.toHaveProperty("sampling_log_probs");
  });
});

describe("ratio_error", () => {
  const learn = async (shift: number) => {
    const actor_network = await digits();
    const agent = AGENTS.LLMREINFORCE(actor_network, { temperature: 0.7 });
    const { old_log_probs, ...rest } = readRollouts(await played(agent), {
      vocab_size: 7,
      max_model_len: 16,
    });
    const sampling_log_probs = old_log_probs?.map((value) => value + shift);
    agent.onDevice.write(agent.member.policy);
    const place = { seed: 0, slot: 0, updates: 0 };
    const result = await agent.onDevice.core.learnRollouts(
      { ...rest, sampling_log_probs },
      agent.spec as LlmSpec,
      place,
    );
    actor_network.close();
    return result;
  };

  it("is rounding where what learns acted, and warned of where it did not", async () => {
    const same = await learn(0);
    expect(same.metrics.ratio_error).toBeGreaterThan(0);
    expect(same.metrics.ratio_error).toBeLessThan(1e-4);
    expect(same.warnings).toEqual([]);
    const other = await learn(1e-3);
    expect(other.metrics.ratio_error).toBeCloseTo(1e-3, 4);
    expect(other.warnings.join()).toMatch(/ratio_error is above 0.0001/);
  });
});
