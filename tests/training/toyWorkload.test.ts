/** The loop trains what it knows nothing of: a workload that a module registers, through library and command. */
// @own-process: it registers what the library does not have.
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainingEvent } from "../../src/training/index.ts";
// Brings in the pool of workers.
import "../../src/workers/index.ts";
import { spawnWorker } from "../../src/workers/index.ts";
import { compiled } from "../support/compiled.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";

// Workers load it, and the sources that it imports, as they are compiled.
const MODULE = pathToFileURL(compiled("tests/training/inside/support/hillClimbing.ts"));
await import(MODULE.href);
// The module registers in the library that it imports, which is the compiled one and not the bundle.
keepThreads(spawnWorker);

const manifest = (max_steps: number) => ({
  algorithm: { name: "HillClimbing", stride: 0.5 },
  environment: { name: "CartPole-v1" },
  training: { pop_size: 4, max_steps, evo_steps: 50 },
  mutation: {
    probabilities: { no_mut: 0.2, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0.8 },
  },
  selection_strategy: { tournament_size: 2, elitism: true },
});

async function trained(options: { max_steps: number; workers?: number; store?: FileStore; from?: string }) {
  const { max_steps, workers = 1, store = memoryFileStore(), from } = options;
  const trainer = await LocalTrainer.fromManifest(manifest(max_steps) as never, {
    accelerator: new Accelerator({ workers, modules: [MODULE] }),
    store,
    seed: 3,
    ...(from === undefined ? {} : { resume_from_checkpoint: from }),
  });
  const events: TrainingEvent[] = [];
  const [population, fitnesses] = await trainer.train({
    verbose: false,
    observer: { on: (event) => events.push(event) },
    checkpoint_steps: 50,
    checkpoint_path: "hill",
  });
  const generations = events.filter((event) => event.event === "generation");
  return { population, fitnesses, generations, store };
}

describe("a workload of one's own", () => {
  it("evolves: losers' places go to mutated copies, and all come near the top", async () => {
    const { fitnesses, generations } = await trained({ max_steps: 1500 });
    expect(generations).toHaveLength(30);
    expect(Math.max(...fitnesses)).toBeGreaterThan(-0.05);
    expect(generations.flatMap(({ lineage }) => lineage.map(({ mutation }) => mutation))).toContain("stride");
    expect(
      new Set(generations.at(-1)?.members.map(({ hyperparameters }) => hyperparameters.stride)).size,
    ).toBeGreaterThan(1);
    expect(generations[0]?.members[0]).toMatchObject({ architecture: "a place", steps: 50 });
  });

  it("gives the same bits with 1, 2 and 4 workers, which load the module", async () => {
    const { population, fitnesses } = await trained({ max_steps: 500 });
    for (const workers of [2, 4])
      expect(await trained({ max_steps: 500, workers })).toMatchObject({ population, fitnesses });
  });

  it("goes on from a checkpoint to the same bits", async () => {
    const whole = await trained({ max_steps: 600 });
    const { store } = await trained({ max_steps: 200 });
    const resumed = await trained({ max_steps: 600, store, from: "hill_800" });
    expect(resumed.population).toEqual(whole.population);
    expect(resumed.fitnesses).toEqual(whole.fitnesses);
  });

  it("is trained, stopped and resumed by the command", async () => {
    const store = memoryFileStore();
    await store.write("run.json", new TextEncoder().encode(JSON.stringify(manifest(300))));
    await store.write("longer.json", new TextEncoder().encode(JSON.stringify(manifest(600))));
    const io = {
      store,
      stdout: { write: () => undefined },
      stderr: { write: () => undefined },
      onInterrupt: () => () => undefined,
    };
    const module = ["--module", path.relative(process.cwd(), fileURLToPath(MODULE))];
    const common = [...module, "--seed", "3", "--workers", "2"];
    expect(await main(["validate", "run.json", ...module], io as never)).toBe(0);
    expect(await main(["train", "run.json", "--out", "a", ...common], io as never)).toBe(0);
    const resume = ["--out", "b", "--resume", "a"];
    expect(await main(["train", "longer.json", ...resume, ...common], io as never)).toBe(0);
    const elite = async (dir: string) =>
      JSON.parse(new TextDecoder().decode(await store.read(`${dir}/elite.safetensors`))) as {
        agent: { fitness: number[] };
      };
    const { generations } = await trained({ max_steps: 600 });
    const best = Math.max(...(generations.at(-1)?.fitnesses ?? []));
    expect((await elite("b")).agent.fitness.at(-1)).toBe(best);
  });
});
