/** Populations trained on WebGPU (SwiftShader), against the same on wasm. */
// @apart: its programs and devices fill much memory.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KernelReport } from "../../../src/kernels/devices.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { type GpuExecutorOptions } from "../../../src/training/gpu/GpuExecutor.ts";
import type { RunState } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { tinyDqn, tinyPpo } from "../../workers/support/manifests.ts";
import { buildRun, trainWith } from "../../workers/support/trainWith.ts";
import { inThread } from "../support/rlRuns.ts";

const open = async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });

/** What SwiftShader takes longest for is to compile: the runs of whole turns have one device, and so each program once. */
let kept: WebGpuDevice;
beforeAll(async () => {
  kept = await open();
});
afterAll(() => kept.close());

const onKept = (options: Partial<GpuExecutorOptions> = {}) =>
  new GpuExecutor({ open: async () => kept, keepsDevice: true, busy: 1, ...options });

/** Without normalisation, for the same reason. */
const plain = { hidden_size: [8], layer_norm: false, min_mlp_nodes: 4, max_mlp_nodes: 32 };
const network = { latent_dim: 8, encoder_config: plain, head_config: plain };
/** Members learn from the transitions of all; tests/training/inside/hostOnGpu.test.ts has those that learn from their own. */
const dqn = (max_steps: number) => {
  const { training, ...rest } = tinyDqn({ pop_size: 2, max_steps });
  return { ...rest, network, training: { ...training, learn_from: "population" } };
};
/** Members are evaluated over more episodes wherever near ties would decide, and at the end. */
const evaluating = (max_steps: number) => {
  const { training, ...rest } = dqn(max_steps);
  const selection_strategy = { strategy: "truncation", quantile: 0.5 };
  // Longer evaluations would show how far the devices' lanes have come apart.
  const more = { tie_episodes: 8, final_episodes: 4, reset_each_generation: true };
  return { ...rest, training: { ...training, ...more }, selection_strategy };
};
const ppo = (max_steps: number) => ({ ...tinyPpo({ pop_size: 2, max_steps }), network });

/** Evolution strategies, whose turns are whole episodes. */
const es = (max_steps: number) => {
  const { mutation: _, selection_strategy: __, ...rest } = ppo(max_steps);
  return { ...rest, algorithm: { name: "ES", perturbations: 4, sigma: 0.1 } };
};

/** PPO whose values follow schedules. */
const scheduled = (max_steps: number) => {
  const { algorithm, ...rest } = ppo(max_steps);
  const schedules = { lr_schedule: "linear", lr_final: 0.2, clip_coef_schedule: "cosine" };
  return { ...rest, algorithm: { ...algorithm, ...schedules } };
};

/** Widths, weights and rates; another structure would only take SwiftShader longer. */
function withOneStructure<M extends { readonly mutation: { readonly probabilities: object } }>(manifest: M) {
  const probabilities = { ...manifest.mutation.probabilities, new_layer: 0, act_mut: 0 };
  return { ...manifest, mutation: { ...manifest.mutation, probabilities } };
}

const fitnesses = ({ members }: RunState): number[] => members.flatMap(({ fitness }) => fitness);

/** Loses the device when it is read from for the given time. */
function destroyAt(device: WebGpuDevice, time: number): void {
  const readMany = device.readMany.bind(device);
  let times = 0;
  device.readMany = async (parts) => {
    if (++times === time) device.gpu.destroy();
    return readMany(parts);
  };
}

describe("a population on WebGPU", () => {
  it.each([
    ["DQN with every kind of mutation", dqn(384)],
    ["DQN that is evaluated alone", withOneStructure(evaluating(384))],
  ])("%s learns what it learns on wasm, generation by generation", async (_, manifest) => {
    const executor = onKept();
    expect(executor.label).toBe("WebGPU");
    expect(await executor.kernels()).toEqual([]);
    let programs: readonly KernelReport[] = [];
    const counted: number[] = [];
    let episodes = 0;
    const run = buildRun(manifest, executor, async (event) => {
      if (event.event !== "generation") return;
      for (const { histograms, evaluation } of event.members) {
        counted.push(...(histograms?.action_dist ?? []));
        episodes = Math.max(episodes, evaluation?.returns.length ?? 0);
      }
      programs = await executor.kernels();
    });
    await run.train();
    const found = run.state;
    await executor.close();
    const expected = await trainWith(inThread(), manifest);
    expect(found.generation).toBe(expected.generation);
    const [a, b] = [fitnesses(found), fitnesses(expected)];
    expect(a).toHaveLength(b.length);
    for (const [i, value] of a.entries()) expect(Math.abs(value / (b[i] as number) - 1)).toBeLessThan(1e-3);
    expect(found.replay?.rings).toEqual(expected.replay?.rings);
    expect(found.replay?.collected).toEqual(expected.replay?.collected);
    expect(episodes).toBe("tie_episodes" in manifest.training ? 12 : 4);
    // Every action of 128 steps a generation, of DQN alone.
    const chosen = counted.reduce((sum, count) => sum + count, 0);
    expect(chosen).toBe(found.replay ? 2 * 128 * found.generation : 0);
    expect(programs.length).toBeGreaterThanOrEqual(3);
    for (const { source, members, runs, timed_runs, time_ms } of programs) {
      expect(source).toContain("@compute");
      expect(members.every((slot) => slot < 2)).toBe(true);
      expect(timed_runs).toBe(runs);
      expect(time_ms).toBeGreaterThan(0);
    }
  });

  it("PPO with schedules learns in slices what it learns on wasm, and the same bits again", async () => {
    const tiny = scheduled(384);
    const manifest = withOneStructure({
      ...tiny,
      algorithm: { ...tiny.algorithm, learn_step: 96, batch_size: 70 },
    });
    const device = await open();
    const train = () =>
      trainWith(new GpuExecutor({ open: async () => device, keepsDevice: true, busy: 16 }), manifest);
    const found = await train();
    const compiled = device.kernels().map(({ name }) => name);
    expect(compiled.filter((it) => it.startsWith("PPO")).sort()).toEqual([
      "PPO.collect",
      "PPO.evaluate",
      "PPO.gradients",
      "PPO.step",
    ]);
    expect(await train()).toEqual(found);
    device.close();
    const expected = await trainWith(inThread(), manifest);
    expect(found.generation).toBe(expected.generation);
    const [a, b] = [fitnesses(found), fitnesses(expected)];
    expect(a).toHaveLength(b.length);
    for (const [i, value] of a.entries()) expect(Math.abs(value / (b[i] as number) - 1)).toBeLessThan(1e-3);
  });

  it("says so when there is no device", async () => {
    const executor = new GpuExecutor({ open: () => Promise.reject(new Error("no adapter")) });
    const setup = { workload: "rl", environment: "CartPole-v1", replay: null, written: [] };
    await expect(executor.open(setup)).rejects.toThrow("no adapter");
    await expect(executor.generation([], [], () => undefined)).rejects.toThrow("no adapter");
  });

  describe("whatever happens on the way, ends with the same bits", () => {
    const manifest = withOneStructure(dqn(256));
    let expected: RunState;
    beforeAll(async () => {
      expected = await trainWith(onKept(), manifest);
    });

    it("when it is stopped amid a generation, whose members have transitions, and goes on", async () => {
      const executor = onKept();
      const stopped = buildRun(manifest, executor);
      const generation = executor.generation.bind(executor);
      executor.generation = (turns, written, onSlice) =>
        generation(turns, written, (slice) => {
          if (stopped.state.generation === expected.generation - 1) stopped.stop();
          onSlice(slice);
        });
      expect((await stopped.train()).reason).toBe("stopped");
      expect(stopped.state.generation).toBe(expected.generation - 1);
      const resumed = buildRun(manifest, executor, undefined, stopped.state);
      await resumed.train();
      expect(resumed.state).toEqual(expected);
    });

    /** Loses its first device. */
    function losing(first: () => Promise<WebGpuDevice>, time: number) {
      const devices: WebGpuDevice[] = [];
      const notices: string[] = [];
      const executor = new GpuExecutor({
        busy: 1,
        open: async () => {
          const device = await (devices.length === 0 ? first() : open());
          if (devices.push(device) === 1) destroyAt(device, time);
          return device;
        },
        onNotice: (message) => notices.push(message),
      });
      return { executor, devices, notices };
    }

    it("when the device of an evolution strategy is lost, as on wasm", async () => {
      const { executor, devices } = losing(open, 2);
      const found = fitnesses(await trainWith(executor, es(256)));
      expect(devices).toHaveLength(2);
      const wanted = fitnesses(await trainWith(inThread(), es(256)));
      expect(found).toHaveLength(wanted.length);
      for (const [i, value] of found.entries())
        expect(Math.abs(value / (wanted[i] as number) - 1)).toBeLessThan(1e-3);
    });

    // The last test: it ends the device that the others share, which has the programs already.
    it("when the device is lost: it goes on with a fresh one", async () => {
      const { executor, devices, notices } = losing(async () => kept, 3);
      const run = buildRun(manifest, executor);
      await run.train();
      await executor.close();
      expect(devices).toHaveLength(2);
      expect(notices).toEqual([expect.stringMatching(/^The GPU was lost \(.*\); .* fresh device\.$/)]);
      expect(run.state).toEqual(expected);
    });
  });
});
