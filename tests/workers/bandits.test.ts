/** Bandits in the coordinator: with the built-in table, and with a table that the browser stores. */
import { afterEach, expect, it } from "vitest";
import { builtInTemplate } from "../../src/manifests/templates.ts";
import { flowers } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { DataService } from "../../src/workers/coordinator.ts";
import { TestWorkbench } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

const opened = async (files = memoryFileStore()) => {
  const bench = await new TestWorkbench({ files }).open();
  open.push(bench);
  return bench;
};

const training = { pop_size: 2, max_steps: 200, episode_steps: 100, evo_steps: 100, eval_steps: 20 };
const manifest = (environment: object, name = "NeuralUCB") => ({
  algorithm: { name, batch_size: 16 },
  environment: { env_type: "bandit", name: "Flowers", ...environment },
  network: { latent_dim: 8, encoder_config: { hidden_size: [8] } },
  training,
});
const BUILT_IN = { features: "rlkit/flowers", targets: "rlkit/flowers" };

const files = (() => {
  const { features, targets } = flowers();
  const file = (name: string, rows: readonly unknown[]) => ({ name, content: new Blob([rows.join("\n")]) });
  return [file("features.csv", features), file("targets.csv", targets)];
})();

it("learns at the built-in table, and goes on after it was stopped", async () => {
  const bench = await opened();
  const id = await bench.trainToEnd(manifest(BUILT_IN), 2);
  const { summary, latest } = await bench.coordinator.snapshot(id);
  expect(summary).toMatchObject({ state: "finished", global_step: 400, environment: "Flowers" });
  expect(latest?.fitnesses.every((fitness) => fitness >= 0 && fitness <= 1)).toBe(true);
  const elite = await bench.coordinator.agent(id, { kind: "elite" });
  expect(elite).toMatchObject({ environment: "Flowers", env_config: null });
  expect((await bench.coordinator.downloadPolicy(id)).bytes.length).toBeGreaterThan(0);

  const ended = bench.nextState(id, "finished", "failed");
  await bench.coordinator.extend(id, 300);
  expect(await ended).toBe("finished");
  expect((await bench.coordinator.snapshot(id)).summary.global_step).toBe(600);
});

it("learns the same at the same table from kept files, with either algorithm", async () => {
  const store = memoryFileStore();
  await new DataService(store).add("mine", files);
  const bench = await opened(store);
  const paths = { features: "datasets/mine/features.csv", targets: "datasets/mine/targets.csv" };
  for (const name of ["NeuralUCB", "NeuralTS"]) {
    const kept = await bench.trainToEnd(manifest(paths, name), 2);
    const built = await bench.trainToEnd(manifest(BUILT_IN, name), 2);
    const [a, b] = await Promise.all([kept, built].map((id) => bench.outcome(id)));
    expect(a?.generations).toEqual(b?.generations);
    expect(a?.members).toEqual(b?.members);
  }
});

it.each([
  [{ features: "rlkit/flowers" }, "environment.targets: is missing"],
  [
    { features: "datasets/mine/features.csv", targets: "x.csv" },
    "datasets/mine: is not stored in this browser",
  ],
  [
    { features: "rlkit/flowers", targets: "x.csv" },
    "a built-in table; give the same name as both features and targets",
  ],
])("refuses to start at %o", async (environment, message) => {
  const bench = await opened();
  await expect(bench.coordinator.start(manifest(environment))).rejects.toThrow(message);
  expect(await bench.coordinator.listRuns()).toEqual([]);
});

it("estimates what the template takes", async () => {
  const bench = await opened();
  const text = JSON.stringify(builtInTemplate("neural-ucb-flowers").manifest);
  expect(await bench.coordinator.check(text)).toEqual([]);
  expect(await bench.coordinator.estimate(text)).toMatchObject({ algorithm: "NeuralUCB", steps: 10_000 });
});
