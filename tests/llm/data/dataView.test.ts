import { describe, expect, it } from "vitest";
import { DataViewer, type ViewedRow } from "../../../src/llm/environments.ts";
import { loadTokenizer, memoryFolder } from "../../../src/llm/models.ts";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../../src/specs/sections.ts";
import { CHATML } from "../support/chatTemplates.ts";
import { TOKENIZER_CONFIG, tokenizerFiles } from "../support/tokenizerJson.ts";

const files = tokenizerFiles({ ...TOKENIZER_CONFIG, chat_template: CHATML });
const { tokenizer } = await loadTokenizer(memoryFolder(files, "m"));

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

const environment = (fields: object, name: "SFT" | "DPO" | "GRPO"): DatasetEnvSpec | RolloutEnvSpec => {
  const { environment: spec } = parseManifestObject({
    algorithm: { name },
    environment: { dataset_path: "rows.json", train_test_split: 1, ...fields },
    network: { pretrained_model_name_or_path: "m", max_context_length: 64 },
    training: { hpo: false },
  } as never);
  return spec as DatasetEnvSpec; // or of the other kind, as its fields say
};
const SFT = environment({ env_type: "dataset", objective: "sft" }, "SFT");
const DPO = environment({ env_type: "dataset", objective: "preference" }, "DPO");
const REWARDED = environment({ env_type: "rollout", rubric_file_path: "exact_match" }, "GRPO");

async function viewOf(spec: DatasetEnvSpec | RolloutEnvSpec, rows: readonly object[], max_model_len = 256) {
  const viewer = await DataViewer.open(spec, {
    tokenizer,
    max_model_len,
    max_output_tokens: null,
    readText: () => JSON.stringify(rows),
  });
  return viewer.view({ split: "train", words: "", fate: null, from: 0, count: 10 });
}

/** The kinds and texts of a row's spans. */
const spansOf = (row: ViewedRow | undefined) =>
  row?.texts.map(({ name, spans }) => [name, spans.map(({ kind, text }) => `${kind} ${text}`)]);

describe("rows as a model reads them", () => {
  it("are written by the template, with what is learned of a conversation", async () => {
    const rows = [{ messages: [user("the"), assistant("and"), user("in"), assistant("hello")] }];
    const { shown, counts, templated } = await viewOf(SFT, rows);
    expect([templated, counts.used]).toEqual([true, 1]);
    expect(spansOf(shown[0])).toEqual([
      [
        "text",
        [
          "read <|im_start|>user\nthe<|im_end|>\n<|im_start|>assistant\n",
          "learned and<|im_end|>",
          "read \n<|im_start|>user\nin<|im_end|>\n<|im_start|>assistant\n",
          "learned hello<|im_end|>",
        ],
      ],
    ]);
  });

  it("are both answers of a pair", async () => {
    const { shown } = await viewOf(DPO, [
      { prompt: [user("the")], chosen: [assistant("and")], rejected: [assistant("in")] },
    ]);
    expect(spansOf(shown[0])?.map(([name, spans]) => [name, spans?.at(-1)])).toEqual([
      ["chosen", "learned and<|im_end|>"],
      ["rejected", "learned in<|im_end|>"],
    ]);
  });

  it("are prompts and expected answers where a rubric rewards the model's own", async () => {
    const { shown } = await viewOf(REWARDED, [{ prompt: "the", answer: 7 }]);
    expect(shown[0]).toMatchObject({ answer: "7", fate: "used" });
    expect(spansOf(shown[0])).toEqual([
      ["prompt", ["read <|im_start|>user\nthe<|im_end|>\n<|im_start|>assistant\n"]],
    ]);
  });
});

describe("rows that cannot be used", () => {
  const good = { messages: [user("the"), assistant("and hello in the")] };
  const odd = { messages: [assistant("and"), user("the")] };
  const mute = { messages: [user("the")] };
  const long = { messages: [user("the ".repeat(40)), assistant("and")] };

  it("are counted by their reasons, and told", async () => {
    const view = await viewOf(SFT, [good, odd, mute, mute], 64);
    expect(view.counts).toEqual({ used: 1, cut: 0, dropped: 0, fault: 3 });
    // Rows are shuffled before they are split.
    const faults = view.shown.filter(({ fate }) => fate === "fault");
    expect(view.faults.map(({ rows, first }) => [rows, first])).toEqual(
      [2, 1].map((count, i) => [count, faults.find(({ reason }) => reason === view.faults[i]?.reason)?.row]),
    );
    expect(view.faults[0]?.reason).toContain("has no message of the assistant");
    expect(view.faults[1]?.reason).toContain('messages[0].role: found "assistant", allowed "user" there');
    expect(faults.map(({ texts }) => texts)).toEqual([[], [], []]);
    expect(view.lengths).toHaveLength(1);
  });

  it("are dropped or cut at the limit, which is shown", async () => {
    const whole = await viewOf(SFT, [good, long]);
    const [least = 0, most = 0] = whole.lengths.toSorted();
    const { counts, shown, limit } = await viewOf(SFT, [good, long], least - 2);
    expect(counts).toEqual({ used: 0, cut: 1, dropped: 1, fault: 0 });
    expect(limit).toBe(least - 2);
    const [cut, dropped] = shown.toSorted((a, b) => (a.fate < b.fate ? -1 : 1));
    expect(cut?.texts[0]?.spans.map(({ kind, tokens }) => [kind, kind === "beyond" ? tokens : 0])).toEqual([
      ["read", 0],
      ["learned", 0],
      ["beyond", 2],
    ]);
    expect(dropped?.texts[0]?.spans.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(most);
  });

  it("are all where the template refuses them", async () => {
    const template = "{{ raise_exception('roles must alternate') }}";
    const refusing = await loadTokenizer(
      memoryFolder(tokenizerFiles({ ...TOKENIZER_CONFIG, chat_template: template }), "m"),
    );
    const viewer = await DataViewer.open(SFT, {
      tokenizer: refusing.tokenizer,
      max_model_len: 64,
      max_output_tokens: null,
      readText: () => JSON.stringify([good, good]),
    });
    const { counts, faults } = viewer.view({ split: "train", words: "", fate: null, from: 0, count: 1 });
    expect(counts.fault).toBe(2);
    expect(faults[0]?.reason).toContain("roles must alternate");
  });
});

describe("a page of rows", () => {
  it("has those that match words and fate, with their numbers", async () => {
    const rows = ["the", "and", "in", "the end"].map((content) => ({ prompt: content, response: "hello" }));
    const viewer = await DataViewer.open(SFT, {
      tokenizer,
      max_model_len: 256,
      max_output_tokens: null,
      readText: () => JSON.stringify(rows),
    });
    const page = (words: string, from: number, fate: "used" | "cut" | null = null) => {
      const { found, shown } = viewer.view({ split: "train", words, fate, from, count: 1 });
      return [found, shown.map(({ row }) => row)];
    };
    const all = viewer.view({ split: "train", words: "", fate: null, from: 0, count: 9 });
    const places = all.shown.filter(({ texts }) => JSON.stringify(texts).includes("the"));
    expect(page(" THE ", 1)).toEqual([2, [places[1]?.row]]);
    expect(page("", 0, "cut")).toEqual([0, []]);
    expect(viewer.view({ split: "test", words: "", fate: null, from: 0, count: 9 }).shown).toEqual([]);
  });
});
