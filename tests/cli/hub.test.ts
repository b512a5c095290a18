/** A model and rows of a hub on this machine, from validation to the merged model. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { LanguageModel, LoraAdapter } from "../../src/llm/index.ts";
import { decodeSafetensors, type FileStore } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { FakeHub, TOKEN } from "../hub/support/fakeHub.ts";
import { CHATML } from "../llm/support/chatTemplates.ts";
import { modelFolder } from "../llm/support/modelFolder.ts";
import { eventsOf, runCli } from "./support.ts";

const MODEL = "someone/small-llama";
const ROWS = "someone/chats";
const rows = Array.from({ length: 12 }, (_, n) => ({
  messages: [
    { role: "user", content: `the ${n}` },
    { role: "assistant", content: "and the hello" },
  ],
}));

let hub: FakeHub;
let folder = "";
let store: FileStore;
let manifest = "";

function offer(): void {
  const files = new Map([
    ...modelFolder(),
    ["chat_template.jinja", new TextEncoder().encode(CHATML)] as const,
  ]);
  hub.repositories.set(`models/${MODEL}`, { files: Object.fromEntries(files), licence: "apache-2.0" });
  const text = rows.map((row) => JSON.stringify(row)).join("\n");
  hub.repositories.set(`datasets/${ROWS}`, { files: { "data/train.jsonl": text }, licence: "mit" });
}

beforeAll(async () => {
  hub = await FakeHub.open();
  folder = await mkdtemp(path.join(tmpdir(), "rlkit-hub-"));
  store = nodeFileStore();
  manifest = path.join(folder, "m.json");
  const content = {
    algorithm: { name: "SFT", batch_size: 4, lr: 0.05 },
    environment: { env_type: "dataset", objective: "sft", hf_dataset_id: ROWS },
    network: {
      pretrained_model_name_or_path: MODEL,
      max_context_length: 48,
      lora_config: { lora_r: 2, lora_alpha: 4 },
    },
    training: { pop_size: 1, max_steps: 12, hpo: false },
  };
  await writeFile(manifest, JSON.stringify(content));
});
beforeEach(() => {
  hub.clear();
  offer();
  vi.stubEnv("HF_ENDPOINT", hub.address);
  vi.stubEnv("HF_TOKEN", "");
  vi.stubEnv("RLKIT_CACHE", path.join(folder, "cache"));
});
afterAll(async () => {
  hub.close();
  await rm(folder, { recursive: true });
});

const cli = (...args: string[]) => runCli(args, { store });

describe("a manifest with ids of the hub", () => {
  it("is validated with sizes and licences, before anything is loaded", async () => {
    const { code, stdout, stderr } = await cli("validate", manifest);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /the run downloads model someone\/small-llama of the hub: [\d.]+ MB in \d files, licence apache-2.0, commit c0ffee000000\n( {2}\S+ +[\d.]+ MB\n)+ {2}its weights are not here yet; the estimate is by their description\n/,
    );
    expect(stdout).toContain(
      "the run downloads dataset someone/chats of the hub: 0.0 MB in 1 files, licence mit",
    );
    expect(stdout).toMatch(
      /\nneeds about [\d.]+ MB of memory: .*\n {2}base .*sequences have up to 48 tokens\n$/s,
    );
    expect(hub.loaded).not.toContain("data/train.jsonl");
    expect((await cli("models", "list")).stdout).toBe("nothing is in the cache\n");
    const json = JSON.parse((await cli("validate", manifest, "--json")).stdout);
    expect(json).toMatchObject({
      ok: true,
      estimate: { longest: 48 },
      downloads: [{ id: MODEL }, { id: ROWS }],
    });
  });

  it("is refused where the hub has no such repositories, naming both fields", async () => {
    hub.repositories.clear();
    const { code, stderr } = await cli("validate", manifest);
    expect(code).toBe(1);
    expect(stderr).toMatch(/network.pretrained_model_name_or_path: .*there is no such model/);
    expect(stderr).toMatch(/environment.hf_dataset_id: .*there is no such dataset/);
  });

  it("downloads both and trains; then the cache has both, and the adapter merges into the base", async () => {
    const out = path.join(folder, "out");
    const { code, stdout, stderr } = await cli(
      "train",
      manifest,
      "--workers",
      "1",
      "--seed",
      "1",
      "--out",
      out,
      "--json",
    );
    expect([code, stderr.replaceAll(/.*(pad_token|Output|Elite).*\n/g, "")]).toEqual([0, ""]);
    const downloads = eventsOf(stdout).filter(({ event }) => event === "download");
    expect(downloads.flatMap(({ name }) => (typeof name === "string" ? [name.slice(0, 30)] : []))).toEqual([
      "model someone/small-llama of t",
      "dataset someone/chats of the h",
    ]);
    hub.requests = [];
    expect((await cli("validate", manifest)).stdout).toContain("needs about");
    expect(hub.requests).toEqual([]);

    const merged = path.join(folder, "merged");
    const checkpoint = path.join(out, "elite.safetensors");
    expect(await cli("export", checkpoint, "--merged", merged)).toMatchObject({ code: 0 });
    expect(await cli("export", checkpoint, "--dir", path.join(folder, "peft"))).toMatchObject({ code: 0 });
    const adapter = await LoraAdapter.load(path.join(folder, "peft/actor"));
    const input = { input_ids: [[1, 2, 3, 4]] };
    const [base, whole] = await Promise.all([MODEL, merged].map((one) => LanguageModel.load(one)));
    if (!base || !whole) throw new Error("both were loaded");
    const [plain, adapted, own] = [
      await base.logits(input),
      await base.logits({ ...input, adapter }),
      await whole.logits(input),
    ];
    const apart = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
    expect(apart(plain.data, adapted.data)).toBeGreaterThan(1e-3);
    expect(apart(own.data, adapted.data)).toBeLessThan(1e-4);
    const names = ["config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja"];
    const cached = path.join(folder, `cache/hub/models/${MODEL}/${"c0ffee".padEnd(40, "0")}`);
    for (const name of names)
      expect(await readFile(path.join(merged, name))).toEqual(await readFile(path.join(cached, name)));
    expect(
      decodeSafetensors(await store.read(path.join(merged, "model.safetensors")), "").tensors.size,
    ).toBeGreaterThan(3);
    const again = await cli("export", checkpoint, "--merged", merged);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
  });
});

describe("rlkit models", () => {
  it("fetches, lists and deletes", async () => {
    vi.stubEnv("RLKIT_CACHE", path.join(folder, "other"));
    expect((await cli("models", "list")).stdout).toBe("nothing is in the cache\n");
    const fetched = await cli("models", "fetch", MODEL);
    expect(fetched.stdout).toMatch(
      /^model someone\/small-llama of the hub: .*licence apache-2.0.*\n.*\/someone\/small-llama\/c0ffee0+\n$/,
    );
    expect((await cli("models", "fetch", "--dataset", ROWS, "--json")).stdout).toContain('"event":"end"');
    expect((await cli("models", "list")).stdout.split("\n")).toEqual([
      expect.stringMatching(/^model someone\/small-llama of the hub: .*, in .*c0ffee0+$/),
      expect.stringMatching(/^dataset someone\/chats of the hub/),
      "",
    ]);
    expect((await cli("models", "delete", MODEL)).stdout).toBe(`deleted model ${MODEL}\n`);
    expect((await cli("models", "delete", "--dataset", ROWS)).code).toBe(0);
    expect(await cli("models", "delete", MODEL)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`there is no such model in the cache`),
    });
  });

  it("says what is wrong with an id, a token or an option, and never shows the token", async () => {
    vi.stubEnv("RLKIT_CACHE", path.join(folder, "third"));
    expect((await cli("models", "fetch", "gpt2")).stderr).toContain(
      "gpt2: is not an ID of the hub, allowed OWNER/NAME",
    );
    expect((await cli("models", "fetch", MODEL, "--split", "x")).stderr).toContain(
      "--split is for data sets",
    );
    hub.repositories.set(`models/${MODEL}`, { files: { "config.json": "{}" }, gated: true });
    hub.granted = false;
    vi.stubEnv("HF_TOKEN", TOKEN);
    const { code, stdout, stderr } = await cli("models", "fetch", MODEL);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(TOKEN);
  });
});
