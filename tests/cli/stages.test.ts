/** `rlkit train` and `trainStages` of a manifest with stages. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { trainStages } from "../../src/index.ts";
import { expandStages, SpecError } from "../../src/manifests/index.ts";
import { decodeSafetensors, type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { eventsOf, runCli, writeText } from "./support.ts";

const sft = (more: object = {}) => ({
  algorithm: { name: "SFT", lr: 0.003, batch_size: 8, ...more },
  environment: { dataset: "rlkit/backwards" },
});
const dpo = (more: object = {}) => ({
  algorithm: { name: "DPO", lr: 0.001, batch_size: 4, ...more },
  environment: { dataset: "rlkit/polite" },
  training: { max_steps: 16 },
});
const GRPO = {
  algorithm: { name: "GRPO", lr: 0.001, batch_size: 2, group_size: 2, max_output_tokens: 2 },
  environment: { entrypoint: "rlkit/ConstantTarget" },
  training: { max_steps: 12 },
};
const LORA = { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" };
const chain = (stages: readonly object[] = [sft(), dpo(), GRPO], network: object = {}) => ({
  network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64, ...network },
  training: { pop_size: 1, max_steps: 32, evo_steps: 1, evaluation_interval: 1, seed: 3 },
  stages,
});

async function storeWith(manifest: object = chain()): Promise<FileStore> {
  const store = memoryFileStore();
  await writeText(store, "m.json", JSON.stringify(manifest));
  return store;
}
const command = ["train", "m.json", "--workers", "1", "--out", "out", "--json"];
const FOLDERS = ["1-SFT", "2-DPO", "3-GRPO"];

const weightsOf = async (store: FileStore, file: string, role: string) =>
  [...decodeSafetensors(await store.read(file), file).tensors]
    .filter(([name]) => name.startsWith(`${role}.`))
    .map(([name, { data }]) => [name.slice(role.length + 1), data] as const);

describe.each([
  ["whole", {}],
  ["by an adapter", { lora_config: LORA }],
])("stages of a model trained %s", (_name, network) => {
  it("begin with the weights of the one before, end with the same bits after a stop in any, and in code", async () => {
    const whole = await storeWith(chain(undefined, network));
    const { code, stderr, stdout } = await runCli(command, { store: whole });
    expect([code, stderr.match(/Stage \d of 3: .*/g)]).toEqual([
      0,
      ["Stage 1 of 3: 1 SFT", "Stage 2 of 3: 2 DPO", "Stage 3 of 3: 3 GRPO"],
    ]);
    // The reference does not change, so it is still what was handed on.
    for (const [at, folder] of ["2-DPO", "3-GRPO"].entries())
      expect(await weightsOf(whole, `out/${folder}/elite.safetensors`, "reference")).toEqual(
        await weightsOf(whole, `out/${FOLDERS[at]}/elite.safetensors`, "actor"),
      );
    const all = eventsOf(stdout).filter(({ event }) => event === "generation").length;
    const store = await storeWith(chain(undefined, network));
    // Each command is stopped when the next generation ends.
    const interrupt = (text: string) => eventsOf(text).some(({ event }) => event === "generation");
    const said: string[] = [];
    for (let end = 130; end === 130; ) {
      const again = await runCli(command, { store, interrupt });
      end = again.code;
      said.push(again.stderr);
    }
    expect(said.length).toBeGreaterThan(all / 2);
    for (const text of said.slice(0, -1))
      expect(text).toContain("stages are finished. Go on with: rlkit train m.json --out out");
    const other = await runCli([...command, "--seed", "4"], { store });
    expect(other.stderr).toContain("out/1-SFT holds a run of another manifest");
    await trainStages(chain(undefined, network), { store, out: "code", verbose: false });
    for (const folder of FOLDERS) {
      const due = await whole.read(`out/${folder}/elite.safetensors`);
      const actor = await weightsOf(whole, `out/${folder}/elite.safetensors`, "actor");
      expect(await store.read(`out/${folder}/elite.safetensors`)).toEqual(due);
      expect(await weightsOf(store, `code/${folder}.safetensors`, "actor")).toEqual(actor);
    }
  });
});

it("ends with the stage that fails", async () => {
  const store = await storeWith(chain([sft({ lr: 1e30 }), dpo()]));
  const { code, stderr } = await runCli(command, { store });
  expect([code, await store.exists("out/2-DPO/manifest.yaml")]).toEqual([1, false]);
  expect(stderr).toContain("rlkit: 1 SFT failed: ");
});

it("checks every stage of the example, and tells faults of one by their lines", async () => {
  const store = memoryFileStore();
  const text = readFileSync(path.join(root, "examples/manifests/dpo-polite.yaml"), "utf8");
  await writeText(store, "m.yaml", text);
  const { code, stdout, stderr } = await runCli(["validate", "m.yaml"], { store });
  expect([code, stderr, stdout.match(/^m.yaml, stage .* is valid$/gm)]).toEqual([
    0,
    "",
    ["m.yaml, stage 1 SFT is valid", "m.yaml, stage 2 DPO is valid"],
  ]);
  await writeText(store, "m.yaml", text.replace("beta: 0.1", "bta: 0.1"));
  const faulty = await runCli(["validate", "m.yaml", "--json"], { store });
  const line = text.split("\n").findIndex((content) => content.includes("beta")) + 1;
  expect([faulty.code, JSON.parse(faulty.stdout)]).toMatchObject([
    1,
    { ok: false, errors: [{ path: "stages[1].algorithm.bta", line }] },
  ]);
});

describe("is refused with its place", () => {
  const issuesOf = (manifest: object): readonly string[] => {
    try {
      expandStages(manifest as Record<string, unknown>);
    } catch (error) {
      if (error instanceof SpecError)
        return error.issues.map(({ path: place, message }) => `${place}: ${message}`);
    }
    return [];
  };
  it.each([
    [chain([]), /^stages: found \[\]; expected a list of stages/],
    [
      chain([sft({ lora_config: LORA }), dpo({ lora_config: { ...LORA, lora_r: 4 } })]),
      /^stages\[1\]\.algorithm\.lora_config: found .*"lora_r":4.* allowed .*"lora_r":2/,
    ],
    [
      chain([sft(), dpo({ pretrained_model_name_or_path: "rlkit/tiny-digits" })]),
      /^stages\[1\]\.algorithm\.pretrained_model_name_or_path: /,
    ],
    [chain([sft({ lora_config: LORA }), dpo()]), /^stages\[1\]\.algorithm\.lora_config: found null/],
    [
      chain([sft(), { ...dpo(), network: {} }]),
      /^stages\[1\]\.network: all stages train the model of the manifest's network/,
    ],
    [chain([sft(), dpo({ bta: 1 })]), /^stages\[1\]\.algorithm\.bta: unknown key "bta"/],
    [chain([sft(), { ...dpo(), training: { eval_loop: 0 } }]), /^stages\[1\]\.training\.eval_loop: /],
    [{ ...chain(), training: { pop_size: 0 } }, /^training\.pop_size: .* \(in stage 1\)$/],
    [
      { ...chain([{ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } }]), network: null },
      /^stages\[0\]\.algorithm\.name: found "DQN", which does not train language models/,
    ],
  ])("case %#", (manifest, message) => {
    expect(issuesOf(manifest)[0]).toMatch(message);
    expect(issuesOf(manifest)).toHaveLength(1);
  });

  it("by the command with the line, and with options of one run", async () => {
    const store = memoryFileStore();
    await writeText(store, "m.json", JSON.stringify(chain([sft(), dpo({ bta: 1 })]), null, 1));
    expect(await runCli(command, { store })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown key "bta"; did you mean "beta"? (line '),
    });
    await writeText(store, "m.json", JSON.stringify(chain()));
    const resumed = await runCli([...command, "--resume", "x"], { store });
    expect([resumed.code, resumed.stderr]).toEqual([
      2,
      expect.stringContaining("--resume: not allowed with stages; give the directory with --out"),
    ]);
    expect((await runCli([...command, "--seeds", "1..2"], { store })).stderr).toContain(
      "stages: each stage is a run",
    );
  });
});
