/** Rows of the hub and of Parquet files, as environments read them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { fetchRepository } from "../../../src/hub/index.ts";
import { cachedHubRows, DatasetEnv, listHubRows, readRowFile } from "../../../src/llm/environments.ts";
import { loadTokenizer, memoryFolder } from "../../../src/llm/models.ts";
import { DatasetEnvSpec } from "../../../src/specs/sections.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { FakeHub } from "../../hub/support/fakeHub.ts";
import { CHATML } from "../support/chatTemplates.ts";
import { tokenizerFiles } from "../support/tokenizerJson.ts";

const parquet = (codec: string): Uint8Array =>
  new Uint8Array(readFileSync(path.join(root, `tests/llm/fixtures/parquet/chat.${codec}.parquet`)));
const file = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);

describe("a Parquet file", () => {
  it.each(["snappy", "zstd", "gzip", "none"])("of the codec %s gives rows of plain values", async (codec) => {
    const rows = await readRowFile(file(parquet(codec)), "chat.parquet");
    expect(rows).toHaveLength(6);
    expect(rows[5]).toEqual({
      messages: [
        { role: "user", content: "5 + 1?" },
        { role: "assistant", content: "6 ✓" },
      ],
      id: 5,
      score: 2.5,
    });
  });

  const whole = parquet("zstd");
  const damaged = whole.slice();
  damaged.fill(0xff, whole.length - 400, whole.length - 12);
  it.each<[string, Uint8Array, string]>([
    ["a page in its place", new TextEncoder().encode("<html>please log in</html>"), "is not a Parquet file"],
    ["an empty file", new Uint8Array(), "is not a Parquet file"],
    ["its first half", whole.slice(0, whole.length / 2), "is a Parquet file that has been cut"],
    ["damage", damaged, "is not a readable Parquet file"],
  ])("that is %s is refused by name", async (_name, bytes, message) => {
    await expect(readRowFile(file(bytes), "rows.parquet")).rejects.toThrow(`rows.parquet: ${message}`);
  });
});

const ID = "someone/chats";
let hub: FakeHub;
beforeAll(async () => {
  hub = await FakeHub.open();
});
beforeEach(() => hub.clear());
afterAll(() => hub.close());

const offer = (paths: readonly string[], cardData: object = {}): void =>
  void hub.repositories.set(`datasets/${ID}`, {
    files: Object.fromEntries(
      paths.map((name) => [name, name.endsWith(".parquet") ? parquet("zstd") : '{"a": 1}']),
    ),
    cardData,
    licence: "cc-by-4.0",
  });
const listed = async (hf_config: string | null = null, hf_split: string | null = null) => {
  const listing = await listHubRows({ hf_dataset_id: ID, hf_config, hf_split }, { hub: hub.address });
  return listing.files.map((one) => one.path);
};

describe("the rows of a data set on the hub", () => {
  it("are those of the training split, in one format", async () => {
    offer([
      "README.md",
      "dataset_infos.json",
      "data/train-0.parquet",
      "data/train-1.parquet",
      "data/test-0.parquet",
      "data/train.jsonl",
    ]);
    expect(await listed()).toEqual(["data/train-0.parquet", "data/train-1.parquet"]);
    expect(await listed(null, "test")).toEqual(["data/test-0.parquet"]);
    expect(hub.loaded).toEqual([]);
  });

  it("are all files where none names a split", async () => {
    offer(["a.jsonl", "b.jsonl"]);
    expect(await listed()).toEqual(["a.jsonl", "b.jsonl"]);
  });

  const CONFIGS = {
    configs: [
      {
        config_name: "main",
        data_files: [
          { split: "train", path: "main/train-*" },
          { split: "test", path: ["main/test-*"] },
        ],
      },
      { config_name: "socratic", data_files: "socratic/**" },
    ],
  };
  it("are those that the card describes", async () => {
    offer(["main/train-0.parquet", "main/test-0.parquet", "socratic/x/a.parquet"], CONFIGS);
    expect(await listed("main")).toEqual(["main/train-0.parquet"]);
    expect(await listed("main", "test")).toEqual(["main/test-0.parquet"]);
    expect(await listed("socratic")).toEqual(["socratic/x/a.parquet"]);
    await expect(listed()).rejects.toThrow(
      "has several configurations; name one in hf_config: main, socratic",
    );
    await expect(listed("other")).rejects.toThrow(
      'has no configuration "other"; name one in hf_config: main',
    );
    await expect(listed("main", "dev")).rejects.toThrow(
      'no rows in the split "dev"; name one in hf_split: train, test',
    );
  });

  it("are refused where there are none", async () => {
    offer(["README.md", "images/a.png"]);
    await expect(listed()).rejects.toThrow(
      "has no rows, allowed files that end in json, jsonl, ndjson, csv, parquet",
    );
    offer(["a/train.csv"]);
    await expect(listed("b")).rejects.toThrow('has no rows in a folder "b" (hf_config)');
  });

  it("train as chats once they are in the cache", async () => {
    offer(["data/train-0.parquet"]);
    const store = memoryFileStore();
    const spec = DatasetEnvSpec.parse({ env_type: "dataset", objective: "sft", hf_dataset_id: ID });
    const files = new Map([
      ...tokenizerFiles(),
      ["chat_template.jinja", new TextEncoder().encode(CHATML)] as const,
    ]);
    const { tokenizer } = await loadTokenizer(memoryFolder(files));
    await expect(DatasetEnv.fromSpec(spec, { tokenizer, store })).rejects.toThrow(
      `hf_dataset_id: found "${ID}", which is not in the cache; fetch it first (rlkit models fetch --dataset ${ID})`,
    );
    await fetchRepository(await listHubRows(spec, { hub: hub.address }), { hub: hub.address, store });
    expect(await cachedHubRows(spec, store)).toMatchObject({ licence: "cc-by-4.0" });
    const env = await DatasetEnv.fromSpec(spec, { tokenizer, store });
    const { input_ids, prompt_lengths } = env.reset() as {
      input_ids: { data: Int32Array; shape: readonly number[] };
      prompt_lengths: Int32Array;
    };
    const row = [...input_ids.data.slice(0, input_ids.shape[1])];
    expect(tokenizer.decode(row)).toMatch(/user\n\d \+ 1\?.*assistant\n\d ✓/s);
    expect(prompt_lengths.length).toBeGreaterThan(0);
  });

  it("are read from a Parquet file of the store as well", async () => {
    const store = memoryFileStore();
    await store.write("rows.parquet", parquet("snappy"));
    const given = {
      env_type: "dataset",
      objective: "sft",
      dataset_path: "rows.parquet",
      columns: { response: "id", prompt: "score" },
    };
    const { tokenizer } = await loadTokenizer(memoryFolder(tokenizerFiles()));
    const env = await DatasetEnv.fromSpec(DatasetEnvSpec.parse(given), { tokenizer, store });
    expect(env.length).toBe(5);
  });
});
