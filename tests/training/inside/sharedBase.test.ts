/** Threads of a language-model run share one copy of a base model from files. */
// @apart: its devices fill much memory.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { firstMember } from "../../../src/llm/members.ts";
import { manifestToObject, parseManifestObject } from "../../../src/manifests/index.ts";
import { Accelerator, LocalTrainer } from "../../../src/training/index.ts";
import { llmTurnRunner } from "../../../src/training/llm/LlmTurnRunner.ts";
import { LLM_WORKLOAD, type LlmSetup } from "../../../src/training/llm/LlmWorkload.ts";
import { llmPlanOf } from "../../../src/training/llm/llmPlan.ts";
import { languageModels } from "../../../src/training/workloads/languageModels.ts";
import { modelFolder } from "../../llm/support/modelFolder.ts";
// Brings in the pool of workers.
import "../../../src/workers/index.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "rlkit-base-"));
  for (const [name, bytes] of modelFolder()) await writeFile(path.join(dir, name), bytes);
});
afterAll(() => rm(dir, { recursive: true }));

const manifestOf = (model: string) =>
  parseManifestObject({
    algorithm: { name: "SFT", batch_size: 4 },
    environment: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" },
    network: {
      pretrained_model_name_or_path: model,
      max_context_length: 32,
      lora_config: { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" },
    },
    training: { pop_size: 2, max_steps: 32, evo_steps: 2, evaluation_interval: 2, eval_loop: 1, hpo: false },
  } as never);

function setupOf(model: string): LlmSetup {
  const manifest = manifestToObject(manifestOf(model));
  return { workload: LLM_WORKLOAD, members: 2, manifest, seed: 1, completion_logging: null };
}

const joined = (setup: LlmSetup): LlmSetup => {
  const standing = languageModels.standing?.(setup);
  if (!standing) throw new Error("language models have no standing setup");
  return standing.setup();
};

/** The result of one turn of a new member, and the slices before it. */
async function turnOf(setup: LlmSetup) {
  const turnRunner = await llmTurnRunner(setup);
  const member = firstMember(llmPlanOf(parseManifestObject(setup.manifest)).spec, 0);
  const steps = turnRunner.turn(member, { slot: 0, generation: 1, evaluate: true });
  let slices = 0;
  for (;;) {
    const step = await steps.next();
    if (step.done) {
      turnRunner.close();
      return { result: step.value, slices };
    }
    slices++;
  }
}

describe("the base of a run in several threads", () => {
  it("is shared if it is read from files, and the setup of new threads has it", () => {
    const shared = joined(setupOf(dir));
    expect(shared.heap?.memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(joined(setupOf("rlkit/tiny-letters")).heap).toBeUndefined();
    expect(languageModels.mostWorkers?.(setupOf(dir))).toBeNull();
  });

  it("keeps a run to one worker where threads cannot share memory", () => {
    vi.stubGlobal("crossOriginIsolated", false);
    expect(joined(setupOf(dir)).heap).toBeUndefined();
    expect(languageModels.mostWorkers?.(setupOf(dir))).toMatchObject({
      workers: 1,
      reason: expect.stringContaining("Threads cannot share memory here, so one worker"),
    });
    expect(languageModels.mostWorkers?.(setupOf("rlkit/tiny-letters"))).toBeNull();
  });

  it("gives the bits of a run in one thread", async () => {
    const ended = async (workers: number) => {
      const accelerator = new Accelerator({ workers });
      const trainer = await LocalTrainer.fromManifest(manifestOf(dir), { accelerator, seed: 5 });
      return trainer.train({ verbose: false });
    };
    const [one, two] = [await ended(1), await ended(2)];
    expect(two).toEqual(one);
  });

  it("is a thread's own where the shared memory is full, with a warning, and the same bits", async () => {
    const expected = await turnOf(setupOf(dir));
    const full = joined(setupOf(dir));
    const pages = (most: number) => most - (full.heap?.memory.buffer.byteLength ?? 0) / 65_536;
    full.heap?.memory.grow(pages(65_536));
    const { result, slices } = await turnOf(full);
    const { warnings, ...rest } = result;
    expect(slices).toBe(expected.slices);
    expect({ ...rest, warnings: [] }).toEqual({ ...expected.result, warnings: [] });
    expect(warnings).toContainEqual(expect.stringContaining("use fewer workers"));
  });
});
