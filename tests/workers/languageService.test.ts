/** Language models for pages: cards, rows, conversations. */
import { describe, expect, it } from "vitest";
import { firstMember } from "../../src/llm/members.ts";
import { parseManifest } from "../../src/manifests/index.ts";
import { builtInTemplate } from "../../src/manifests/templates.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { workloadOf } from "../../src/training/workloads/registry.ts";
import { LanguageService } from "../../src/workers/coordinator.ts";
import type { ChatNews, ChatSettings } from "../../src/workers/pages.ts";
import { CHATML } from "../llm/support/chatTemplates.ts";
import { modelFolder } from "../llm/support/modelFolder.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const backwards = builtInTemplate("sft-backwards").manifest;
const digits = builtInTemplate("grpo-next-digit").manifest;

/** A service in whose store is a small model with a chat template. */
async function serviceWith(files: Readonly<Record<string, string>> = {}) {
  const store = memoryFileStore();
  const folder = modelFolder().set("chat_template.jinja", bytesOf(CHATML));
  for (const [name, bytes] of folder) await store.write(`/v1/models/m/${name}`, bytes);
  for (const [name, text] of Object.entries(files)) await store.write(name, bytesOf(text));
  return new LanguageService(store);
}

const chats = {
  ...backwards,
  algorithm: { name: "SFT", batch_size: 2 },
  environment: { env_type: "dataset", dataset_path: "rows.jsonl", objective: "sft", train_test_split: 1 },
  network: { pretrained_model_name_or_path: "models/m", max_context_length: 64 },
};

const rowsOf = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const turn = (role: string, content: string) => ({ role, content });
const GOOD = { messages: [turn("user", "the"), turn("assistant", "and")] };
const MUTE = { messages: [turn("user", "the")] };

describe("the card of a model", () => {
  it("has sizes, licence, files and needs before anything is loaded", async () => {
    const service = await serviceWith({
      "rows.jsonl": rowsOf(GOOD),
      "/v1/models/m/README.md": "---\nlanguage: en\nlicense: apache-2.0\n---\n# A model\nlicense: none\n",
    });
    const { id, model, licence, files, estimate, problems } = await service.modelCard(chats);
    expect([id, licence, problems]).toEqual(["models/m", "apache-2.0", []]);
    expect(model).toMatchObject({ built_in: false, chat_template: true });
    expect(files.find(({ name }) => name === "model.safetensors")?.size).toBeGreaterThan(
      4 * (model?.parameters ?? 0),
    );
    expect(estimate?.total_bytes).toBeGreaterThan(4 * (model?.parameters ?? 0));
  });

  it("of a built-in model has no files", async () => {
    const { model, files, licence, estimate } = await (await serviceWith()).modelCard(digits);
    expect([files, licence]).toEqual([[], null]);
    expect(model).toMatchObject({ built_in: true, chat_template: false });
    expect(estimate?.total_bytes).toBeGreaterThan(0);
  });

  it("says what prevents the run, and what is known all the same", async () => {
    const missing = await (await serviceWith()).modelCard(chats);
    expect(missing.problems[0]).toMatch(/^environment: .*rows\.jsonl/);
    expect([missing.model === null, missing.estimate]).toEqual([false, null]);
    const nothing = { ...chats, network: { ...chats.network, pretrained_model_name_or_path: "models/none" } };
    const unknown = await (await serviceWith()).modelCard(nothing);
    expect([unknown.model, unknown.problems.length]).toEqual([null, 1]);
  });
});

describe("rows of a data set", () => {
  const page = { split: "train", words: "", fate: null, from: 0, count: 5 } as const;

  it("come with the distribution of their lengths, and with what cannot be used", async () => {
    const service = await serviceWith({ "rows.jsonl": rowsOf(GOOD, MUTE, GOOD) });
    const view = await service.rows(chats, page);
    expect(view?.counts).toEqual({ used: 2, cut: 0, dropped: 0, fault: 1 });
    expect(view?.lengths?.counts.reduce((a, b) => a + b)).toBe(2);
  });

  it("are absent where the environment has none, and found once a missing file is there", async () => {
    const service = await serviceWith();
    expect(await service.rows(digits, page)).toBeNull();
    await expect(service.rows(chats, page)).rejects.toThrow("rows.jsonl");
    const late = await serviceWith({ "rows.jsonl": rowsOf(GOOD) });
    expect((await late.rows(chats, page))?.found).toBe(1);
  });
});

const SETTINGS: ChatSettings = {
  temperature: 0,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  repetition_penalty: 1,
  max_output_tokens: 6,
  seed: 0,
};
const ask = (model: string, content: string, more: Partial<ChatSettings> = {}) => ({
  id: "a",
  model,
  turns: [{ role: "user", content } as const],
  settings: { ...SETTINGS, ...more },
});

describe("a conversation", () => {
  it("is written by the template, token by token, and is the same for the same seed", async () => {
    const service = await serviceWith({ "rows.jsonl": rowsOf(GOOD) });
    expect(await service.openModel("m", chats, null)).toMatchObject({ templated: true });
    const news: ChatNews[] = [];
    const sampled = { temperature: 1, seed: 3 };
    const first = await service.answer(ask("m", "the", sampled), (one) => news.push(one));
    expect(first.tokens).toBeGreaterThan(0);
    expect(news).toHaveLength(first.tokens);
    expect(news.at(-1)).toEqual({ kind: "text", text: first.text, tokens: first.tokens });
    expect(await service.answer(ask("m", "the", sampled), () => undefined)).toEqual(first);
  });

  it("is that of a member, whose weights are its own", async () => {
    const manifest = parseManifest(digits);
    const { files, runs } = workloadOf(manifest);
    const service = await serviceWith();
    const member = firstMember(manifest.algorithm as never, 4);
    const file = files.encodeAgent(member, runs.facts(manifest));
    expect(await service.openModel("member", digits, file)).toMatchObject({ templated: false });
    const { ended, tokens } = await service.answer(ask("member", "12"), () => undefined);
    expect([ended, tokens <= 6]).toEqual([expect.stringMatching(/end|limit/), true]);
    expect(await service.holds("member")).toBe(true);
  });

  it("stops where it is, and goes on with the next message", async () => {
    const service = await serviceWith({ "rows.jsonl": rowsOf(GOOD) });
    await service.openModel("m", chats, null);
    const long = { max_output_tokens: 1000, temperature: 1 };
    const answer = service.answer(ask("m", "the", long), () => void service.stopAnswer("a"));
    expect(await answer).toMatchObject({ ended: "stopped", tokens: 1 });
    expect((await service.answer(ask("m", "the"), () => undefined)).tokens).toBeGreaterThan(0);
  });

  it("waits for the answer before it", async () => {
    const service = await serviceWith({ "rows.jsonl": rowsOf(GOOD) });
    await service.openModel("m", chats, null);
    const order: string[] = [];
    const both = ["a", "b"].map((id) =>
      service.answer({ ...ask("m", "the"), id }, ({ kind }) => void order.push(`${id} ${kind}`)),
    );
    await Promise.all(both);
    expect(order.filter((one) => one.endsWith("queued"))).toEqual(["b queued"]);
    expect(order.findLastIndex((one) => one === "a text")).toBeLessThan(order.indexOf("b text"));
  });

  it("is refused when it is too long, or its model was closed for others", async () => {
    const service = await serviceWith({ "rows.jsonl": rowsOf(GOOD) });
    await service.openModel("m", chats, null);
    await expect(service.answer(ask("m", "the ".repeat(3000)), () => undefined)).rejects.toThrow(
      /leaves no room for an answer/,
    );
    await service.openModel("one", digits, null);
    await service.openModel("two", digits, null);
    expect(await service.holds("m")).toBe(false);
    await expect(service.answer(ask("m", "the"), () => undefined)).rejects.toThrow("not open");
  });
});
