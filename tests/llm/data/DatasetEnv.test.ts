import { afterEach, describe, expect, it, vi } from "vitest";
import { DatasetEnv, RolloutHarness } from "../../../src/llm/environments.ts";
import type { DatasetEnvOptions } from "../../../src/llm/index.ts";
import { DatasetEnvSpec } from "../../../src/specs/sections.ts";
import { chatmlTokenizer, testTokenizer } from "../support/testTokenizer.ts";

const tokenizer = testTokenizer();
const sft = (options: Partial<DatasetEnvOptions<"sft">> = {}) =>
  new DatasetEnv({ train: [{ prompt: "ab>", response: "c" }], tokenizer, objective: "sft", ...options });

/** Rows of a batch as texts, up to the end of their masks. */
function textsOf({ input_ids, attention_mask }: ReturnType<ReturnType<typeof sft>["reset"]>): string[] {
  const [rows = 0, columns = 0] = input_ids.shape;
  return Array.from({ length: rows }, (_, row) => {
    const ids = input_ids.data.subarray(row * columns, (row + 1) * columns);
    const mask = attention_mask.data.subarray(row * columns, (row + 1) * columns);
    return tokenizer.decode(
      ids.filter((__, i) => mask[i] === 1),
      { skip_special_tokens: false },
    );
  });
}

const numbered = (n: number) => Array.from({ length: n }, (_, i) => ({ prompt: `${i}>`, response: "x" }));

describe("DatasetEnv", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("gives prompt, response and eos, padded to the longest", () => {
    const env = sft({
      train: [{ prompt: "ab>", response: "c" }],
      test: [
        { prompt: "a>", response: "bcd" },
        { prompt: "b>", response: "" },
      ],
    });
    const { pad_token_id: pad, eos_token_id: eos } = tokenizer;
    expect(env.reset()).toEqual({
      input_ids: { shape: [1, 5], data: Int32Array.of(...tokenizer.encode("ab>c"), eos) },
      attention_mask: { shape: [1, 5], data: new Int32Array(5).fill(1) },
      prompt_lengths: Int32Array.of(3),
    });
    expect(env.evalMode(() => env.reset())).toEqual({
      input_ids: {
        shape: [2, 6],
        data: Int32Array.of(...tokenizer.encode("a>bcd"), eos, ...tokenizer.encode("b>"), eos, pad, pad, pad),
      },
      attention_mask: { shape: [2, 6], data: Int32Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0) },
      prompt_lengths: Int32Array.of(2, 2),
    });
  });

  it("gives both sides of a pair in one length", () => {
    const env = new DatasetEnv({
      train: [{ prompt: "a>", chosen: "yes", rejected: "n" }],
      tokenizer,
      objective: "preference",
    });
    const { pad_token_id: pad, eos_token_id: eos } = tokenizer;
    expect(env.reset()).toEqual({
      chosen_input_ids: { shape: [1, 6], data: Int32Array.of(...tokenizer.encode("a>yes"), eos) },
      chosen_attention_mask: { shape: [1, 6], data: Int32Array.of(1, 1, 1, 1, 1, 1) },
      rejected_input_ids: { shape: [1, 6], data: Int32Array.of(...tokenizer.encode("a>n"), eos, pad, pad) },
      rejected_attention_mask: { shape: [1, 6], data: Int32Array.of(1, 1, 1, 1, 0, 0) },
      prompt_lengths: Int32Array.of(2),
    });
  });

  it("gives answers with their labels, and both sides of a pair as answers of their own", () => {
    const options = { tokenizer, objective: "unpaired" } as const;
    const pairs = [{ prompt: "a>", chosen: "yes", rejected: "n", label_source: 1 }];
    const single = [
      { prompt: "a>", completion: "yes", label: "True" },
      { prompt: "a>", completion: "n", label: 0 },
    ];
    const held = new DatasetEnv({ ...options, train: pairs, test: single });
    const batch = held.evalMode(() => held.reset());
    expect([textsOf(batch), [...batch.labels], [...batch.prompt_lengths]]).toEqual([
      ["a>yes", "a>n"].map(
        (text) => text + tokenizer.decode([tokenizer.eos_token_id], { skip_special_tokens: false }),
      ),
      [1, 0],
      [2, 2],
    ]);
    // Training rows are in an order of their own.
    const learned = held.reset();
    expect(new Set(textsOf(learned).map((text, i) => `${text}${learned.labels[i]}`))).toEqual(
      new Set(textsOf(batch).map((text, i) => `${text}${batch.labels[i]}`)),
    );
    expect(held.heldOut(2)).toHaveLength(1);
    const odd = [{ prompt: "a>", response: "y", label: "maybe" }];
    expect(() => new DatasetEnv({ ...options, train: odd })).toThrow(
      'DatasetEnv: train: row 1: label: found "maybe", allowed true (a desirable answer) or false',
    );
    expect(() => new DatasetEnv({ ...options, train: [{ prompt: "a>", response: "y" }] })).toThrow(
      'row 1 has no "label"',
    );
  });

  it("goes through all rows in every epoch, each in its own order, and counts epochs", () => {
    const env = sft({ train: numbered(10), data_batch_size_per_gpu: 4 });
    const epoch = () =>
      [4, 4, 2].flatMap((size) => {
        const texts = textsOf(env.reset());
        expect(texts.length).toBe(size);
        return texts;
      });
    const first = epoch();
    expect([env.num_epochs, env.length]).toEqual([1, 10]);
    const second = epoch();
    expect(env.num_epochs).toBe(2);
    expect(new Set(first).size).toBe(10);
    expect(second.toSorted()).toEqual(first.toSorted());
    expect(second).not.toEqual(first);
    expect(textsOf(env.reset(true))).toEqual(first.slice(0, 4));
    expect([env.num_epochs, env.position]).toEqual([0, 1]);
    env.position = 3;
    expect(textsOf(env.reset())).toEqual(second.slice(0, 4));
    expect(textsOf(sft({ train: numbered(10), data_batch_size_per_gpu: 4, seed: 7 }).reset())).not.toEqual(
      first.slice(0, 4),
    );
  });

  it("evaluates on the rows held out, from the first one, and leaves the order of training as it is", async () => {
    const env = sft({ train: numbered(4), test: numbered(3), data_batch_size_per_gpu: 2 });
    const control = sft({ train: numbered(4), data_batch_size_per_gpu: 2 });
    expect(textsOf(env.reset())).toEqual(textsOf(control.reset()));
    const drawn = () => [env.length, ...[1, 2, 3].flatMap(() => textsOf(env.reset()))];
    const all = [3, "0>x<eos>", "1>x<eos>", "2>x<eos>", "0>x<eos>", "1>x<eos>"];
    expect(env.evalMode(drawn)).toEqual(all);
    expect(await env.evalMode(async () => drawn())).toEqual(all);
    expect(() =>
      env.evalMode(() => {
        throw new Error("out");
      }),
    ).toThrow("out");
    expect(env.length).toBe(4);
    expect(textsOf(env.reset())).toEqual(textsOf(control.reset()));
    expect(control.evalMode(() => control.length)).toBe(4);
  });

  it("counts held-out rows that are training rows, whatever else is in them, as do rollouts over rows", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const row = (prompt: string, response: string, more: object = {}) => ({ prompt, response, ...more });
    const train = [row("ab>", "c"), row("ab>", "d"), row("abc>", "d")];
    sft({ train, test: [row("ab>", "e"), row("a>", "bc"), row("abd>", "d")] });
    expect(warn.mock.calls).toEqual([]);
    sft({ train, test: [row("ab>", "c", { id: 1 }), row("ab>", "e"), row("ab>", "c")] });
    const held =
      "2 of 3 held-out rows are training rows too, so evaluations are too good; remove them from one of the two";
    expect(warn.mock.calls).toEqual([[`rlkit: DatasetEnv: test: ${held}`]]);
    const asked = (text: string, answer: string) => ({ prompt: text, answer });
    RolloutHarness.fromDataset([asked("ab>", "c"), asked("b>", "c")], "exact_match", {
      test_rows: [asked("ab>", "c"), asked("ab>", "d"), asked("b>", "c")],
      tokenizer,
      max_model_len: 8,
      max_output_tokens: 2,
    });
    expect(warn.mock.calls.at(-1)).toEqual([`rlkit: rows: ${held}`]);
  });

  it("cuts responses at the context, and leaves out rows whose prompts are too long, both counted", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const train = [
      { prompt: "abcd>", response: "z" },
      { prompt: "a>", response: "wxyz" },
    ];
    const env = sft({ train, max_context_length: 6, min_completion_length: 2 });
    expect(env.length).toBe(1);
    expect(textsOf(env.reset())).toEqual(["a>wxyz"]);
    expect(warn.mock.calls).toEqual([
      [
        "rlkit: DatasetEnv: train: 1 of 2 rows are left out because of prompts longer than 4 tokens (max_context_length 6 less min_completion_length 2)",
      ],
      [
        "rlkit: DatasetEnv: train: 1 of 2 rows are cut at 6 tokens (max_context_length), so their answers have no end",
      ],
    ]);
    expect(() => sft({ train, max_context_length: 2 })).toThrow(
      "DatasetEnv: train: found no rows to use; all 2 have prompts longer than 1 tokens",
    );
    expect(() => sft({ train: [] })).toThrow("DatasetEnv: train: found no rows to use; allowed at least one");
  });

  it("names missing columns, and options that are none", () => {
    expect(() => sft({ train: [{ prompt: "a", answer: "b" }] })).toThrow(
      'DatasetEnv: train: row 1 has no "response"; found: prompt, answer',
    );
    expect(() => sft({ test: [{ prompt: "a" }] })).toThrow('DatasetEnv: test: row 1 has no "response"');
    const pairs = { train: [{ prompt: "a", chosen: "b" }], tokenizer, objective: "preference" } as const;
    expect(() => new DatasetEnv(pairs)).toThrow('row 1 has no "rejected"; found: prompt, chosen');
    expect(() => sft({ objective: "dpo" as never })).toThrow(
      'objective: found "dpo", allowed "preference", "unpaired" or "sft"',
    );
    expect(() => sft({ tokenizer: undefined as never })).toThrow("DatasetEnv: tokenizer: missing");
    expect(() => sft({ data_batch_size_per_gpu: 0 })).toThrow(
      "data_batch_size_per_gpu: found 0, allowed integers from 1",
    );
    expect(
      textsOf(sft({ train: [{ q: "a", r: "b" }], prompt_column: "q", response_column: "r" }).reset()),
    ).toEqual(["ab<eos>"]);
  });

  it("is made from a manifest, in the model's chat form where it has one", async () => {
    const spec = DatasetEnvSpec.parse({ env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" });
    const env = await DatasetEnv.fromSpec(spec, { tokenizer, data_batch_size_per_gpu: 2 });
    expect([env.length, env.evalMode(() => env.length)]).toEqual([3840, 256]);

    const chat = chatmlTokenizer();
    const file = DatasetEnvSpec.parse({
      env_type: "dataset",
      dataset_path: "rows.csv",
      objective: "preference",
      columns: { chosen: "good", rejected: "bad" },
      prompt_template: { user_0: "{q}!" },
      train_test_split: 0.5,
    });
    const pairs = await DatasetEnv.fromSpec(file, {
      tokenizer: chat,
      readText: () => "q,good,bad\na,b,c\nd,e,f\n",
    });
    expect([pairs.length, pairs.evalMode(() => pairs.length)]).toEqual([1, 1]);
    const batch = pairs.reset();
    if (!("chosen_input_ids" in batch)) throw new Error("no pairs");
    expect(chat.decode(batch.chosen_input_ids.data, { skip_special_tokens: false })).toMatch(
      /^<\|im_start\|>user\n[ad]!<\|im_end\|>\n<\|im_start\|>assistant\n[be]<\|im_end\|>$/,
    );
  });
});
