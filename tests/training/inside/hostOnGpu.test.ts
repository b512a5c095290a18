/** Members of environments that JavaScript steps, on WebGPU (SwiftShader), against the same on wasm. */
// @apart: its programs and devices fill much memory.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DivergedError } from "../../../src/evolution/members.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { parseManifest } from "../../../src/manifests/index.ts";
import {
  findEnvironment,
  type HostEnvironmentDefinition,
  loadEnvironment,
  make,
  registerEnvironment,
} from "../../../src/rl/environments.ts";
import { UnstablePhysics } from "../../../src/rl/faces.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { TrainingRun } from "../../../src/training/loop.ts";
import { type RlKinds, type RunState, reinforcementLearning } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { buildRun, SEED, trainWith } from "../../workers/support/trainWith.ts";
import { inThread } from "../support/rlRuns.ts";
import { dqn, NO_MUTATION, ppo, recurrentPpo, td3 } from "../support/tiny.ts";

/** How many steps of a lane its physics stays stable for. */
let stable = Number.POSITIVE_INFINITY;

/** A compiled environment as JavaScript steps it. */
function hosted(id: string): HostEnvironmentDefinition {
  const { observation_space, action_space, max_episode_steps } = findEnvironment(id);
  const load: HostEnvironmentDefinition["load"] = async () => () => {
    const env = make(id);
    let steps = 0;
    const step = env.step.bind(env);
    env.step = (action) => {
      if (++steps > stable) throw new UnstablePhysics();
      return step(action);
    };
    return env;
  };
  const facts = { observation_space, action_space, max_episode_steps, reward_threshold: null };
  return { id: `test/Hosted-${id}`, ...facts, load };
}

const open = async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });

/** SwiftShader takes longest to compile, so that most runs share a device, and so its programs. */
let kept: WebGpuDevice;
beforeAll(async () => {
  kept = await open();
  for (const id of ["CartPole-v1", "Pendulum-v1"]) {
    registerEnvironment(hosted(id));
    await loadEnvironment(`test/Hosted-${id}`);
  }
});
afterAll(() => kept.close());

const onKept = () => new GpuExecutor({ open: async () => kept, keepsDevice: true, busy: 16 });

const plain = { hidden_size: [8], layer_norm: false, min_mlp_nodes: 4, max_mlp_nodes: 32 };
const network = { latent_dim: 8, encoder_config: plain, head_config: plain };
/** Widths, weights and rates; another structure would only take SwiftShader longer. */
const mutation = { probabilities: { ...NO_MUTATION, arch_mut: 1, params_mut: 1, rl_hp_mut: 1 } };
const shared = { network, mutation, selection_strategy: { tournament_size: 2, elitism: true } };
const place = (id: string) => ({ env_type: "gym" as const, name: `test/Hosted-${id}`, num_envs: 4 });

/** Batches of two slices, in memories whose rings go round. */
const offPolicy = (max_steps: number) => ({
  ...dqn({
    ...shared,
    algorithm: { batch_size: 70 },
    training: { max_steps, evo_steps: 128, eval_steps: 30 },
  }),
  environment: place("CartPole-v1"),
});
/** Rollouts whose minibatches are slices too. */
const onPolicy = (max_steps: number) => ({
  ...ppo({ ...shared, algorithm: { batch_size: 70, learn_step: 96 }, training: { max_steps } }),
  environment: { ...place("Pendulum-v1"), normalize: { observations: true, rewards: true } },
});

/** Weights of all members. */
const weightsOf = ({ members }: RunState): number[] =>
  members.flatMap(({ networks }) =>
    Object.values(networks).flatMap(({ tensors }) => Object.values(tensors).flatMap((values) => [...values])),
  );

function expectClose(found: RunState, expected: RunState): void {
  expect(found.generation).toBe(expected.generation);
  expect(found.replay?.rings).toEqual(expected.replay?.rings);
  const [a, b] = [weightsOf(found), weightsOf(expected)];
  expect(a).toHaveLength(b.length);
  for (const [i, value] of a.entries()) expect(Math.abs(value - (b[i] as number))).toBeLessThan(1e-3);
  const fitness = ({ members }: RunState) => members.flatMap((member) => member.fitness);
  const [c, d] = [fitness(found), fitness(expected)];
  for (const [i, value] of c.entries()) expect(Math.abs(value / (d[i] as number) - 1)).toBeLessThan(1e-3);
}

describe("a population beside an environment of the host", () => {
  it("learns off-policy on WebGPU what it learns on wasm, and the same bits again and resumed", async () => {
    const manifest = offPolicy(256);
    const learned: number[] = [];
    const run = buildRun(manifest, onKept(), (event) => {
      if (event.event === "generation")
        learned.push(...event.members.map(({ learn_steps }) => learn_steps ?? 0));
    });
    await run.train();
    const found = run.state as RunState;
    expectClose(found, await trainWith(inThread(), manifest));
    expect(learned.every((steps) => steps > 0)).toBe(true);
    const half = await trainWith(onKept(), offPolicy(128));
    const resumed = new TrainingRun<RlKinds>(
      { ...half, elite: null },
      {
        ...reinforcementLearning.runs.prepare(parseManifest({ ...manifest }), SEED),
        executor: onKept(),
        observer: { on: () => undefined },
      },
    );
    await resumed.train();
    expect(weightsOf(resumed.state as RunState)).toEqual(weightsOf(found));
    expect((resumed.state as RunState).replay).toEqual(found.replay);
  });

  it("learns on-policy what it learns on wasm, normalised", async () => {
    const manifest = onPolicy(384);
    const found = await trainWith(onKept(), manifest);
    expectClose(found, await trainWith(inThread(), manifest));
    expect(found.members[0]?.normalization).toBeDefined();
    expect(await trainWith(onKept(), manifest)).toEqual(found);
  });

  it("says as on wasm that physics became unstable", async () => {
    stable = 20;
    try {
      const failed = trainWith(onKept(), onPolicy(384));
      await expect(failed).rejects.toThrow(DivergedError);
      await expect(failed).rejects.toThrow(/member 0: .*physics became unstable/);
    } finally {
      stable = Number.POSITIVE_INFINITY;
    }
  });

  const ddpg = { name: "DDPG", batch_size: 8, learn_step: 4, policy_freq: 3, O_U_noise: true };
  const long = { evo_steps: 160, max_steps: 800, pop_size: 1, eval_steps: 10 };
  it.each([
    ["DDPG with correlated noise", { ...td3({ training: long, network }), algorithm: ddpg }],
    ["PPO with memory", recurrentPpo({ training: long, algorithm: { learn_step: 80 } })],
  ])("of %s has episodes that go on over generations, after a stop too", async (_name, sections) => {
    const manifest = { ...sections, environment: onPolicy(1).environment };
    const scores: unknown[] = [];
    const run = (from: RunState | null = null, last = Number.POSITIVE_INFINITY) => {
      const one = buildRun(
        manifest,
        onKept(),
        (event) => {
          if (event.event !== "generation") return;
          scores.push(event.members[0]?.score);
          if (event.generation === last) one.stop();
        },
        from,
      );
      return one.train().then(() => one.state);
    };
    const whole = await run();
    // 200 steps, of which each costs up to 16.3.
    expect(scores).toEqual([null, null, null, null, expect.any(Number)]);
    expect(scores[4]).toBeLessThan(-200);
    const stopped = await run(null, 2);
    expect(stopped.generation).toBe(2);
    expect(await run(stopped)).toEqual(whole);
  });

  it("ends with the same bits when its device is lost", async () => {
    const manifest = offPolicy(128);
    const expected = await trainWith(onKept(), manifest);
    // Last, because it ends the device that the others share.
    const readMany = kept.readMany.bind(kept);
    let reads = 0;
    kept.readMany = async (parts) => {
      if (++reads === 5) kept.gpu.destroy();
      return readMany(parts);
    };
    const notices: string[] = [];
    let opened = 0;
    const losing = new GpuExecutor({
      busy: 16,
      open: async () => (opened++ === 0 ? kept : open()),
      onNotice: (message) => notices.push(message),
    });
    expect(await trainWith(losing, manifest)).toEqual(expected);
    expect(notices).toEqual([expect.stringMatching(/^The GPU was lost/)]);
  });
});
