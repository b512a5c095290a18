/** What a population costs on a GPU: dispatches, read-backs, pipelines and bytes, counted on a device that does nothing. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AgentState, EvolvableAgent, findAlgorithm, rolloutSizes } from "../../src/agents/members.ts";
import { HyperparameterConfig, Mutations } from "../../src/evolution/index.ts";
import { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import { algorithmFields } from "../../src/manifests/index.ts";
import { PLAIN_MEMORY } from "../../src/rl/programs.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { MemberTurn } from "../../src/training/workloads.ts";
import { mockGpu } from "../kernels/support/mockGpu.ts";
import { offPolicyOf } from "../rl/support/turns.ts";
import { tinyDqn, tinyPpo } from "../workers/support/manifests.ts";
import { buildRun } from "../workers/support/trainWith.ts";
import { inThread } from "./support/rlRuns.ts";

/** Three rollouts of 64 steps. */
const EVO_STEPS = 192;

/** PPO agents of one structure, whose widths and hyperparameters mutate. */
function population(size: number) {
  const { members } = buildRun(tinyPpo({ pop_size: size }), inThread()).state;
  const algorithm = findAlgorithm("PPO");
  const steps = { grow_factor: 1.2, shrink_factor: 0.8 };
  const ranges = { lr: { min: 1e-4, max: 1e-2, ...steps }, batch_size: { min: 8, max: 64, ...steps } };
  const hp_config = HyperparameterConfig.fromSelection(ranges, algorithmFields("PPO"));
  const agents = members.map((state) => new EvolvableAgent(state, { algorithm, hp_config }));
  const mutations = new Mutations({
    no_mutation: 0,
    architecture: 0.5,
    new_layer_prob: 0,
    parameters: 0,
    activation: 0,
    rl_hp: 0.5,
  });
  return {
    mutate: (generation: number) => mutations.mutation(agents, { generation }),
    turns: (generation: number) =>
      turnsOf(
        agents.map(({ state }) => state),
        generation,
      ),
  };
}

/** Minibatches in the epochs of a rollout. */
const minibatchesIn = (agent: AgentState, num_envs: number): number =>
  Number(agent.hyperparameters.update_epochs) * rolloutSizes(agent, num_envs).minibatches;

const turnsOf = (agents: readonly AgentState[], generation: number): MemberTurn[] =>
  agents.map((agent, slot) => ({
    agent,
    turn: {
      slot,
      generation,
      seed: 7,
      num_envs: 4,
      evo_steps: EVO_STEPS,
      eval_loop: 1,
      eval_steps: null,
      off_policy: null,
    }, // prettier-ignore
  }));

/**
 * @param busy Workgroups that the device runs at once: with more than there are members they learn in slices.
 * @param gpu_workgroups What the run found before.
 */
async function openRun(busy = 1, gpu_workgroups: number | null = null) {
  const { gpu, counts } = await mockGpu();
  const device = new WebGpuDevice(gpu, "mock");
  const executor = new GpuExecutor({ open: async () => device, busy });
  await executor.open({
    workload: "rl",
    environment: "Pendulum-v1",
    replay: null,
    written: [],
    gpu_workgroups,
  });
  return { executor, counts, device };
}

describe("a generation on a GPU", () => {
  // What is submitted at once depends on the time that the work before it took: here, none.
  beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(0));
  afterEach(() => vi.restoreAllMocks());

  it.each([1, 5, 64])("takes as many dispatches for %i members as for one", async (size) => {
    const { turns, mutate } = population(size);
    mutate(1);
    const { executor, counts } = await openRun();
    const outcomes = await executor.generation(turns(1), [], () => undefined);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    // A reset, the turns with all their iterations, an evaluation: each one dispatch with a workgroup for every member.
    expect(counts.dispatches).toBe(3);
    expect(counts.workgroups).toBe(size * counts.dispatches);
    expect(counts.passes).toBeLessThanOrEqual(counts.dispatches);
    // How far the turns are, how far the evaluation is, and all buffers at the end.
    expect(counts.readBacks).toBe(3);
    for (let generation = 2; generation <= 4; generation++) {
      mutate(generation);
      const before = { ...counts };
      let env_steps = 0;
      await executor.generation(turns(generation), [], (slice) => {
        env_steps += slice.env_steps;
      });
      expect(env_steps).toBe(size * EVO_STEPS);
      expect(counts.dispatches - before.dispatches).toBe(3);
      // As much fitted into one chunk before: nobody asks how far it is.
      expect(counts.readBacks - before.readBacks).toBe(1);
    }
    await executor.close();
  });

  it("asks how far a turn is after one that waited for transitions: it has less to do than the next", async () => {
    const readBacks = async (length: number, earned?: number) => {
      const { gpu, counts } = await mockGpu();
      const device = new WebGpuDevice(gpu, "mock");
      const executor = new GpuExecutor({ open: async () => device, busy: 1 });
      const manifest = tinyDqn({ pop_size: 2 });
      const { members } = buildRun(manifest, inThread()).state;
      const replay = { population: 2, segment: 200, kind: PLAIN_MEMORY };
      await executor.open({ workload: "rl", environment: "CartPole-v1", replay, written: [] });
      const turns = turnsOf(members, 1).map(({ agent, turn }) => ({
        agent,
        turn: {
          ...turn,
          off_policy: offPolicyOf({
            learning_delay: 150,
            ring: { position: 0, count: length },
            visible: members.map(() => ({ start: 0, length })),
            ...(earned !== undefined && { earned }),
          }),
        },
      }));
      await executor.generation(turns, [], () => undefined);
      const before = counts.readBacks;
      await executor.generation(turns, [], () => undefined);
      await executor.close();
      return counts.readBacks - before;
    };
    // Two members see twice as many.
    expect(await readBacks(70)).toBe(3);
    expect(await readBacks(80)).toBe(1);
    // Where others' transitions earn nothing yet, they will in the next.
    expect(await readBacks(80, 4)).toBe(3);
    expect(await readBacks(80, 8)).toBe(1);
  });

  it.each([1, 5, 64])("learns in slices with as many dispatches for %i members as for one", async (size) => {
    const { turns, mutate } = population(size);
    const { executor, counts } = await openRun(256);
    await executor.generation(turns(0), [], () => undefined);
    // A reset, a rollout, gradients, steps, an evaluation.
    expect(counts.pipelines).toBe(5);
    for (let generation = 1; generation <= 3; generation++) {
      mutate(generation);
      const members = turns(generation);
      const before = { ...counts };
      let env_steps = 0;
      const outcomes = await executor.generation(members, [], (slice) => {
        env_steps += slice.env_steps;
      });
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      expect(env_steps).toBe(size * EVO_STEPS);
      const steps = Math.max(...members.map(({ agent, turn }) => minibatchesIn(agent, turn.num_envs)));
      const iterations = EVO_STEPS / 64;
      const dispatches = counts.dispatches - before.dispatches;
      expect(dispatches).toBeGreaterThanOrEqual(2 + iterations * (2 * steps + 1));
      expect(dispatches).toBeLessThanOrEqual(2 + iterations * (2 * steps + 6));
      // All buffers at the end; how far turns are is known, and evaluations fitted into one chunk before.
      expect(counts.readBacks - before.readBacks).toBe(1);
    }
    expect(counts.pipelines).toBe(5);
    await executor.close();
  });

  it.each([1, 16])(
    "learns off-policy in slices with as many dispatches for %i members as for one",
    async (size) => {
      const { members } = buildRun(tinyDqn({ pop_size: size }), inThread()).state;
      const { gpu, counts } = await mockGpu();
      const device = new WebGpuDevice(gpu, "mock");
      const executor = new GpuExecutor({ open: async () => device, busy: 64 });
      const replay = { population: size, segment: 200, kind: PLAIN_MEMORY };
      await executor.open({ workload: "rl", environment: "CartPole-v1", replay, written: [] });
      const visible = members.map(() => ({ start: 0, length: 0 }));
      const turns = turnsOf(members, 1).map(({ agent, turn }) => ({
        agent,
        turn: { ...turn, off_policy: offPolicyOf({ visible }) },
      }));
      const outcomes = await executor.generation(turns, [], () => undefined);
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      // A reset, gradients, what is played with the steps, an evaluation.
      expect(counts.pipelines).toBe(4);
      // A learning step for every four environment steps.
      const steps = EVO_STEPS / 4;
      expect(counts.dispatches - 2).toBeGreaterThanOrEqual(2 * steps + 1);
      expect(counts.dispatches - 2).toBeLessThanOrEqual(2 * steps + 6);
      await executor.close();
    },
  );

  it("learns as the run began: in slices, or not, by the number of workgroups that the run keeps", async () => {
    const { executor, counts } = await openRun(256);
    expect(executor.measured.gpu_workgroups).toBe(256);
    const { turns } = population(2);
    await executor.generation(turns(0), [], () => undefined);
    expect(counts.pipelines).toBe(5);
    const again = await openRun(256, 1);
    expect(again.executor.measured.gpu_workgroups).toBe(1);
    await again.executor.generation(turns(0), [], () => undefined);
    expect(again.counts.pipelines).toBe(3);
    await Promise.all([executor.close(), again.executor.close()]);
  });

  it("compiles all new structures at once, and no structure again", async () => {
    const { executor, counts } = await openRun();
    /** Agents whose encoders have so many layers. */
    const agents = (...layers: readonly number[]) =>
      layers.flatMap((count) => {
        const manifest = tinyPpo({ pop_size: 1 });
        const encoder_config = { ...manifest.network.encoder_config, hidden_size: Array(count).fill(8) };
        const network = { ...manifest.network, encoder_config };
        return buildRun({ ...manifest, network }, inThread()).state.members;
      });
    const compiled = async (members: readonly AgentState[], generation: number) => {
      const before = counts.pipelines;
      counts.compiling = 0;
      await executor.generation(turnsOf(members, generation), [], () => undefined);
      return [counts.pipelines - before, counts.compiling];
    };
    // A turn and an evaluation of each structure, and at first the reset of all.
    expect(await compiled(agents(1, 2, 1), 1)).toEqual([5, 5]);
    expect(await compiled(agents(2, 2, 1), 2)).toEqual([0, 0]);
    expect(await compiled(agents(3, 1, 4), 3)).toEqual([4, 4]);
    expect(await compiled(agents(4, 3, 2), 4)).toEqual([0, 0]);
    await executor.close();
  });

  it.each([
    ["in one program", 1, 3],
    ["in slices", 256, 5],
  ])(
    "learning %s makes no pipelines over 200 generations of mutated widths, and gives back what it held",
    async (_, busy, pipelines) => {
      const { turns, mutate } = population(3);
      const { executor, counts, device } = await openRun(busy);
      await executor.generation(turns(0), [], () => undefined);
      expect(counts.pipelines).toBe(pipelines);
      let early = 0;
      for (let generation = 1; generation <= 200; generation++) {
        mutate(generation);
        await executor.generation(turns(generation), [], () => undefined);
        if (generation === 20) early = counts.bytes;
      }
      expect(counts.pipelines).toBe(pipelines);
      // The cohorts' lists come and go; the heap of the first twenty generations holds the rest.
      expect(counts.bytes).toBe(early);
      await executor.close();
      expect(device.fault).toBeNull();
    },
  );
});
