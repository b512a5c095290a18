import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimeoutError } from "../../../src/evolution/members.ts";
import { RolloutHarness } from "../../../src/llm/environments.ts";
import type { LlmEnvironment, RolloutHarnessOptions, Tokenizer } from "../../../src/llm/index.ts";
import {
  chatmlTokenizer,
  llama3Tokenizer,
  mergingTokenizer,
  testTokenizer,
} from "../support/testTokenizer.ts";

/** Says the given texts one after the other; hears every action. */
function talker(observations: readonly string[], heard: unknown[] = []): LlmEnvironment {
  let turn = 0;
  return {
    name: "talker",
    reset: () => [observations[(turn = 0)] ?? "", { row: 1 }],
    step: (action) => {
      heard.push(action);
      turn++;
      return [observations[turn] ?? "", turn, turn >= observations.length, false, { turn }];
    },
  };
}

const plain = testTokenizer();
const harnessOf = (env: RolloutHarnessOptions["env"], options: Partial<RolloutHarnessOptions> = {}) =>
  RolloutHarness.local(env, { tokenizer: plain, ...options });

/** The prompt's ids, and those of a text behind them. */
const full = (tokenizer: Tokenizer, prompt: Int32Array, text: string): number[] => [
  ...prompt,
  ...tokenizer.encode(text),
];

const words = fc.string({ unit: fc.constantFrom(...Array.from("abcthex :=\n")), minLength: 1, maxLength: 8 });

describe.each([
  ["ChatML", chatmlTokenizer()],
  ["a template that trims", llama3Tokenizer()],
  ["tokens that merge over boundaries", mergingTokenizer()],
])("prefix identity with %s", (_, tokenizer) => {
  it("holds over all turns, with and without end-of-turn token", async () => {
    const turns = fc.array(fc.record({ observation: words, completion: words, ends: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(turns, async (drawn) => {
        const observations = drawn.map(({ observation }) => observation);
        const harness = harnessOf(talker(observations), { tokenizer, max_turns: 5 });
        let [prompt] = await harness.reset();
        let before: number[] = [];
        const written: number[] = [];
        for (const { completion, ends } of drawn) {
          expect(Array.from(prompt.input_ids.subarray(0, before.length))).toEqual(before);
          const ids = [...tokenizer.encode(completion), ...(ends ? [tokenizer.eos_token_id] : [])];
          before = [...prompt.input_ids, ...ids];
          written.push(...ids);
          [prompt] = await harness.step(before);
        }
        const { input_ids, action_mask, turn_ids, num_turns } = harness.getEpisodeData();
        expect(Array.from(input_ids.data)).toEqual(before);
        expect(num_turns).toBe(drawn.length);
        const next = Array.from(input_ids.data).slice(1);
        expect(next.filter((__, column) => action_mask.data[column] === 1)).toEqual(written);
        expect(
          Array.from(turn_ids.data).every((turn, column) => turn >= 0 === (action_mask.data[column] === 1)),
        ).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("RolloutHarness", () => {
  it("appends ids where encoding the text again would change them", async () => {
    const tokenizer = mergingTokenizer();
    const harness = harnessOf(talker(["go", "on"]), { tokenizer, max_turns: 2 });
    const [first] = await harness.reset();
    const [second] = await harness.step(full(tokenizer, first.input_ids, "t"));
    const text = tokenizer.decode(second.input_ids);
    expect(text).toBe("go=tthe next: on=t");
    expect(Array.from(second.input_ids)).not.toEqual(Array.from(tokenizer.encode(text)));
  });

  it("writes the template's text, with one end-of-turn token", async () => {
    const tokenizer = chatmlTokenizer();
    const heard: unknown[] = [];
    const harness = harnessOf(talker(["hi", "more"], heard), { tokenizer, max_turns: 2 });
    const [first] = await harness.reset();
    const [second] = await harness.step(full(tokenizer, first.input_ids, "yes<|im_end|>"));
    const text = tokenizer.decode(second.input_ids, { skip_special_tokens: false });
    expect(text).toBe(
      "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nyes<|im_end|>\n<|im_start|>user\nmore<|im_end|>\n<|im_start|>assistant\n",
    );
    expect(heard).toEqual(["yes"]);
  });

  it("gives rewards, masks and turns of an episode, and log-probs where every step had them", async () => {
    const harness = harnessOf(talker(["ab", "c", "d"]), { max_turns: 4 });
    let [prompt] = await harness.reset();
    [prompt] = await harness.step(full(plain, prompt.input_ids, "x"), { log_probs: [-1] });
    [prompt] = await harness.step(full(plain, prompt.input_ids, "yz"), { log_probs: [-2, -3] });
    const last = await harness.step(full(plain, prompt.input_ids, "w"), { log_probs: [-4] });
    expect(last).toEqual([{ input_ids: new Int32Array(0) }, 3, true, false, { turn: 3 }]);
    const data = harness.getEpisodeData();
    expect(data).toEqual({
      input_ids: { shape: [1, 8], data: plain.encode("abxcyzdw") },
      reward_faults: [],
      action_mask: { shape: [1, 7], data: Float32Array.of(0, 1, 0, 1, 1, 0, 1) },
      turn_ids: { shape: [1, 7], data: Int32Array.of(-1, 0, -1, 1, 1, -1, 2) },
      rewards: Float32Array.of(1, 2, 3, 0),
      sampling_log_probs: Float32Array.of(-1, -2, -3, -4),
      num_turns: 3,
      info: { turn: 3 },
    });
    [prompt] = await harness.reset();
    [prompt] = await harness.step(full(plain, prompt.input_ids, "x"), { log_probs: [-1] });
    await harness.step(full(plain, prompt.input_ids, "y"));
    expect(harness.getEpisodeData().sampling_log_probs).toBeNull();
  });

  it("is truncated at its turns, the smaller number of two", async () => {
    const harness = harnessOf(talker(["a", "b", "c"]), { max_turns: 3 });
    harness.limitTurns(1);
    harness.limitTurns(2);
    const [prompt] = await harness.reset();
    expect(await harness.step(full(plain, prompt.input_ids, "x"))).toEqual([
      { input_ids: new Int32Array(0) },
      1,
      false,
      true,
      { turn: 1 },
    ]);
    expect(Array.from(harness.getEpisodeData().input_ids.data)).toEqual([...plain.encode("ax")]);
    await expect(harness.step([1])).rejects.toThrow('the episode of environment "talker" ended at turn 1');
  });

  it("is truncated before a prompt that leaves no room for a completion", async () => {
    const options = { max_turns: 3, max_model_len: 10, max_output_tokens: 4 };
    const harness = harnessOf(talker(["abcd", "ef", "g"]), options);
    expect(harness.prompt_budget).toBe(6);
    const [prompt] = await harness.reset();
    const [next, , terminated, truncated] = await harness.step(full(plain, prompt.input_ids, "x"));
    expect([next.input_ids.length, terminated, truncated]).toEqual([0, false, true]);
    expect(harnessOf(talker(["a"]), { max_model_len: 10 }).prompt_budget).toBe(9);
    expect(harnessOf(talker(["a"]), { max_model_len: 10, max_output_tokens: 99 }).prompt_budget).toBe(0);

    const long = harnessOf(talker(["abcdefg", "h"]), options);
    expect(await long.reset()).toEqual([{ input_ids: new Int32Array(0) }, { row: 1, truncated: true }]);
    expect(long.done).toBe(true);
    const data = long.getEpisodeData();
    expect([data.num_turns, data.input_ids.shape, data.action_mask.shape]).toEqual([0, [1, 0], [1, 0]]);
    expect(data.rewards).toEqual(new Float32Array(3));
  });

  it("refuses a template that cannot be split, or writes such turns as ChatML", async () => {
    const forgetful = testTokenizer({
      template: (messages) =>
        `${messages.filter(({ role }) => role === "user").map(({ content }) => content)}>`,
    });
    const strict = harnessOf(talker(["a", "b"]), { tokenizer: forgetful, max_turns: 2 });
    const [prompt] = await strict.reset();
    await expect(strict.step(full(forgetful, prompt.input_ids, "x"))).rejects.toThrow(
      "cannot be split at the model's message",
    );
    const lenient = harnessOf(talker(["a", "b"]), {
      tokenizer: forgetful,
      max_turns: 2,
      strict_chat_template_boundary: false,
    });
    const [first] = await lenient.reset();
    const [second] = await lenient.step(full(forgetful, first.input_ids, "x"));
    expect(forgetful.decode(second.input_ids)).toBe(
      "a>x<|im_end|>\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\n",
    );
  });

  it("reads observations by field or function, gives actions under a field, and begins with an instruction", async () => {
    const heard: unknown[] = [];
    const env: LlmEnvironment = {
      reset: (seed) => [{ said: `seed ${seed}`, board: [1] }, {}],
      step: (action) => {
        heard.push(action);
        return [{ said: "so" }, 0, false, false, {}];
      },
    };
    const harness = harnessOf(env, {
      observation_field: "said",
      action_field: "move",
      instruction: "Play.",
      max_turns: 2,
    });
    const [prompt] = await harness.reset({ seed: 7 });
    expect(plain.decode(prompt.input_ids)).toBe("Play.\n\nseed 7");
    const [next] = await harness.step(full(plain, prompt.input_ids, "x"));
    expect(plain.decode(next.input_ids)).toBe("Play.\n\nseed 7xso");
    expect(heard).toEqual([{ move: "x" }]);

    const processed = harnessOf(env, { observation_processor: (found) => JSON.stringify(found) });
    expect(plain.decode((await processed.reset())[0].input_ids)).toBe(
      '{"said":"seed undefined","board":[1]}',
    );
    await expect(harnessOf(env).reset()).rejects.toThrow(
      'environment "environment", reset: found a mapping for the observation, allowed a text',
    );
    await expect(harnessOf(env, { observation_field: "text" }).reset()).rejects.toThrow(
      'observation_field "text": found nothing there, and the fields said, board',
    );
  });

  it("names environment, call and turn of a fault", async () => {
    const faulty = (step: () => unknown, reset: () => unknown = () => ["a", {}]) =>
      harnessOf({ name: "faulty", reset, step } as LlmEnvironment, { max_turns: 2 });
    const play = async (harness: RolloutHarness) => {
      const [prompt] = await harness.reset();
      const [second] = await harness.step(full(plain, prompt.input_ids, "x"));
      await harness.step(full(plain, second.input_ids, "y"));
    };
    let turn = 0;
    const boom = new Error("boom");
    const second = faulty(() => {
      if (++turn === 2) throw boom;
      return ["b", 0, false, false, {}];
    });
    await expect(play(second)).rejects.toMatchObject({
      message: 'environment "faulty", step of turn 2: threw: boom',
      cause: boom,
    });
    const at = 'environment "faulty", step of turn 1: found';
    await expect(play(faulty(() => ["b", 1, 0, false, {}]))).rejects.toThrow(
      `${at} 0 and false for terminated`,
    );
    await expect(play(faulty(() => ["b", 1]))).rejects.toThrow(`${at} ["b",1], allowed [observation, reward`);
    await expect(play(faulty(() => ["b", 1, true, false, null]))).rejects.toThrow(`${at} null for info`);
    await expect(play(faulty(() => Promise.reject(boom)))).rejects.toThrow("threw: boom");
    const inReset = 'environment "faulty", reset: found';
    await expect(
      play(
        faulty(
          () => [],
          () => "a",
        ),
      ),
    ).rejects.toThrow(`${inReset} "a", allowed [observation, info]`);
    await expect(
      play(
        faulty(
          () => [],
          () => ["", {}],
        ),
      ),
    ).rejects.toThrow(`${inReset} an empty prompt`);
  });

  it("weighs the parts of rewards, and names the environment whose reward has other parts", async () => {
    const play = async (reward: unknown) => {
      const step = () => ["", reward as number, true, false, {}] as const;
      const env: LlmEnvironment = { name: "parts", reset: () => ["a", {}], step };
      const harness = harnessOf(env, { reward_weights: { right: 2, short: 0.5 } });
      const [prompt] = await harness.reset();
      const [, total, , , info] = await harness.step(full(plain, prompt.input_ids, "x"));
      return [total, info.reward_components];
    };
    expect(await play({ right: 1, short: 3 })).toEqual([3.5, { right: 1, short: 3 }]);
    await expect(play({ rihgt: 1 })).rejects.toThrow(
      'environment "parts", step of turn 1: reward_weights: found no weight of rihgt, allowed rewards that',
    );
  });

  it("waits no longer than its timeout for an answer", async () => {
    const env: LlmEnvironment = {
      name: "silent",
      reset: () => new Promise(() => {}),
      step: () => ["", 0, true, false, {}],
    };
    const timeout = 1e-3;
    const harness = harnessOf(env, { timeout });
    const fault = harness.reset();
    await expect(fault).rejects.toThrow(TimeoutError);
    await expect(fault).rejects.toThrow(
      'environment "silent", reset: did not answer within its timeout of 0.001 s',
    );
  });

  it("refuses ids that do not continue the prompt", async () => {
    const harness = harnessOf(talker(["ab", "c"]));
    await expect(harness.step([1])).rejects.toThrow(
      'environment "talker" has no episode yet; call reset first',
    );
    expect(() => harness.getEpisodeData()).toThrow("call reset first");
    const [prompt] = await harness.reset();
    await expect(harness.step([...prompt.input_ids])).rejects.toThrow("found only the prompt's 2 ids");
    await expect(harness.step([prompt.input_ids[0] ?? 0, 5, 6])).rejects.toThrow("step: id 1 is 5, but");
    await expect(harness.step([])).rejects.toThrow("step: id 0 is missing, but");
    await expect(harness.step(full(plain, prompt.input_ids, "x"), { log_probs: [0, 0] })).rejects.toThrow(
      "step: found 2 log_probs, allowed 1",
    );
  });

  it("refuses what is not supported by name, with what to use instead", () => {
    const instead = "give an object with reset and step, or a built-in id: rlkit/ConstantTarget";
    expect(() => harnessOf("https://example.org/env")).toThrow(
      `environments by URL are not supported; ${instead}`,
    );
    expect(() => harnessOf("my_envs:Guess")).toThrow(`environments in Python do not run here; ${instead}`);
    expect(() => harnessOf("rlkit/GridNavigaton")).toThrow('did you mean "rlkit/GridNavigation"?');
    expect(() => harnessOf(talker(["a"]), { mcp_tool: "search" })).toThrow(
      "mcp_tool: tools of served environments",
    );
    expect(() => harnessOf(talker(["a"]), { max_turns: 0 })).toThrow(
      "max_turns: found 0, allowed integers from 1",
    );
    expect(() => harnessOf((() => 3) as never)).toThrow(
      "the function returned 3, allowed an object with reset and step",
    );
    expect(() => harnessOf(talker(["a"]), { observation_field: "a", observation_processor: String })).toThrow(
      "keep one of the two",
    );
    expect(() => harnessOf(talker(["a"]), { env_config: {} })).toThrow(
      "env_config: is only for built-in ids",
    );
    expect(() => new RolloutHarness({ env: "rlkit/ConstantTarget" } as never)).toThrow("tokenizer: missing");
  });
});
