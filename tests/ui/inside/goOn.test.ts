/** Runs that go on in the environment from what a run learned of data: their manifests, and what their chart tells. */
import { describe, expect, it } from "vitest";
import { parseManifestObject } from "../../../src/manifests/index.ts";
import { workloadIssues } from "../../../src/training/workloads/registry.ts";
import { templateManifest } from "../../../src/ui/languageModels/modelManifest.ts";
import { beginningOf, dipText } from "../../../src/ui/pages/run/fitness/beginning.ts";
import { fitnessModel, fitnessSummary } from "../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { fitnessLegend } from "../../../src/ui/pages/run/fitness/fitnessPlot.ts";
import { goOnManifest } from "../../../src/ui/pages/run/head/goOnManifest.ts";
import type { RunSummary } from "../../../src/workers/protocol.ts";
import { descendantsOf } from "./support/descendants.ts";

describe("the manifest", () => {
  it.each([
    ["bc-pendulum", "SAC"],
    ["iql-pendulum", "SAC"],
    ["awac-pendulum", "SAC"],
    ["cql-pendulum", "SAC"],
    ["td3bc-pendulum", "TD3"],
    ["cqn-cartpole", "DQN"],
  ] as const)("goes on from %s with %s", (template, algorithm) => {
    const before = templateManifest(template);
    const draft = goOnManifest("run-1", before);
    const manifest = parseManifestObject(draft);
    expect(workloadIssues(manifest)).toEqual([]);
    expect(manifest.algorithm.name).toBe(algorithm);
    expect(manifest.environment).toMatchObject({ env_type: "gym", name: before.environment?.name });
    expect(manifest.training.load_weights_from).toBe("runs/run-1");
    expect(manifest.training.demonstrations).toBe(
      (before.environment as { dataset_path?: string }).dataset_path,
    );
    expect(manifest.network).toBeNull();
  });

  it("imitates choices by PPO, and is none where there is nothing to go on in", () => {
    const { environment, ...others } = templateManifest("bc-pendulum");
    const within = (name: string) => ({ ...others, environment: { ...environment, name } });
    const draft = parseManifestObject(goOnManifest("run-1", within("LunarLander-v3")));
    expect(draft.algorithm.name).toBe("PPO");
    // Of one's own environment it is not known what agents choose among.
    const cqn = { ...templateManifest("cqn-cartpole"), environment: { env_type: "offline", name: "own.js" } };
    expect(goOnManifest("run-1", cqn)).toMatchObject({ algorithm: { name: "DQN" } });
    expect(goOnManifest("run-1", within("none"))).toBeNull();
    expect(goOnManifest("run-1", templateManifest("ppo-cartpole"))).toBeNull();
  });
});

describe("the chart", () => {
  const runs = [
    {
      id: "run-1",
      name: "Imitation",
      environment: "Pendulum-v1",
      best_fitness: 40,
      champion: { fitness: 30 },
    },
    { id: "run-2", name: "Other", environment: "CartPole-v1", best_fitness: 9, champion: null },
    // Only these fields are read.
  ] as unknown as readonly RunSummary[];
  const manifest = (path: string) => ({ training: { load_weights_from: path } });

  it("knows the agent that a run began with, in the same environment", () => {
    const of = (path: string) => beginningOf(manifest(path), "Pendulum-v1", runs);
    expect(of("runs/run-1")).toEqual({ name: "Imitation", fitness: 30 });
    for (const path of ["runs/run-2", "runs/gone", "elite.safetensors"]) expect(of(path)).toBeNull();
    expect(beginningOf({}, "Pendulum-v1", runs)).toBeNull();
  });

  it.each([
    [[10, 20, 35], "the best of generation 1 fell to 10.0, and generation 3 came back to it."],
    [[25, 5, 20], "the best of generation 2 fell to 5.0, and none has come back to it since."],
    [[31, 30, 35], "and no generation's best fell below it."],
  ])("tells how far %j fell", (best, told) => {
    const all = descendantsOf(best.map((fitness) => [[0, null, fitness]]));
    const beginning = { name: "Imitation", fitness: 30 };
    const model = fitnessModel(all, null, [], "fitness", beginning);
    const text = dipText(beginning, model.rows, all.columns.generation);
    expect(text).toContain("It began with the best agent of Imitation, whose fitness was 30");
    expect(text).toContain(told);
    expect(fitnessSummary(model)).toContain(text);
    expect(fitnessLegend(model, null).map(({ label }) => label)).toContain("began with 30.0");
    expect(model.domain.ticks.at(-1)).toBeGreaterThanOrEqual(30);
  });
});
