/** Iterations of an evolution strategy: against a restatement in f64, on WebGPU against wasm, and at their limits. */
import { afterAll, describe, expect, it } from "vitest";
import {
  type AgentState,
  agentContents,
  bindAgent,
  compiledProgram,
  evolutionContents,
  evolutionSizes,
  keyContents,
  perturbedCopy,
} from "../../../src/agents/members.ts";
import { type WasmArena, WasmDevice } from "../../../src/kernels/devices.ts";
import { hostKey } from "../../../src/kernels/functions.ts";
import {
  column,
  div,
  evalDim,
  greater,
  mul,
  select,
  square,
  sub,
  type Tensor,
} from "../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import type { ESSpecInput } from "../../../src/manifests/index.ts";
import {
  type CompiledEnvironment,
  CompiledVectorEnvironment,
  compiledEnvironment,
  findCompiledEnvironment,
  prepareProgram,
} from "../../../src/rl/environments.ts";
import { Box } from "../../../src/rl/spaces.ts";
import { comparedShaders } from "../../kernels/support/comparedShaders.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { agentOf, NORMALIZED } from "../support/agents.ts";
import { aimEnvironment } from "../support/aim.ts";
import { cueEnvironment } from "../support/cue.ts";
import { plainNoise, plainRanks, plainStep } from "../support/plainEvolution.ts";
import { buffersOf, runOnBoth, runOnWasm, statesOf } from "../support/slicedLearning.ts";
import { compiledTurn, hostTurn } from "../support/turns.ts";

const wasm = new WasmDevice();
afterAll(() => wasm.close());

const cartPole = findCompiledEnvironment("CartPole-v1");
const pendulum = findCompiledEnvironment("Pendulum-v1");
const network = { latent_dim: 6, encoder_config: { hidden_size: [5] }, head_config: { hidden_size: [7] } };
const es = (fields: Omit<ESSpecInput, "name">, env: CompiledEnvironment, more: object = {}): AgentState =>
  agentOf({ name: "ES", perturbations: 8, ...fields }, { ...env, network, ...more });

const KEY = [5, 0, 1, 1] as const;

/** A member's buffers before its turn. */
function loaded(agent: AgentState, env: CompiledEnvironment, iterations: number): WasmArena {
  const program = compiledProgram(agent, env, "turn");
  const arena = wasm.arena(statesOf([program]), bindAgent(agent, evolutionSizes(agent, 4)));
  const contents = [
    ...agentContents(agent),
    ...keyContents(...KEY),
    ...evolutionContents({ evo_steps: 1_000_000 }, iterations),
  ];
  for (const [name, values] of contents) if (arena.has(name)) arena.write(name, values);
  return arena;
}

describe("an iteration", () => {
  it.each([null, 1] as const)("moves the weights as the same in f64 does (rank %s)", (rank) => {
    const fields = { rank, sigma: 0.1, lr: 0.02, weight_decay: 0.1, episodes: 2 };
    const agent = es(fields, pendulum);
    const arena = loaded(agent, pendulum, 1);
    const program = compiledProgram(agent, pendulum, "turn");
    runOnWasm(wasm, arena, program);
    const parameters = [...program.states.values()]
      .filter(({ name }) => name.startsWith("actor."))
      .map(({ name, shape }) => ({
        name,
        shape: shape.map((size) => evalDim(size, arena.binding)),
        values: agent.networks.actor?.tensors[name.slice("actor.".length)] as Float32Array,
      }));
    const returns = Array.from(arena.read("evolution.returns"));
    expect(new Set(returns).size).toBe(8);
    const noise = plainNoise(parameters, { key: hostKey(...KEY), iteration: 0, directions: 4, rank });
    const expected = plainStep(parameters, noise, plainRanks(returns), fields);
    for (const [name, values] of expected)
      for (const [i, value] of values.entries())
        expect(Math.abs((arena.read(name)[i] as number) - value), `${name}[${i}]`).toBeLessThanOrEqual(1e-5);
    // Episodes of Pendulum all have 200 steps.
    expect(arena.read("evolution.steps")[0]).toBe(8 * 2 * 200);
    arena.release();
  });

  it.each([null, 1] as const)("draws copies that can be had as agents (rank %s)", (rank) => {
    const agent = es({ rank, sigma: 0.1, sigma_schedule: "linear" }, pendulum);
    const { states } = compiledProgram(agent, pendulum, "turn");
    const binding = bindAgent(agent, evolutionSizes(agent, 4));
    const tensors = agent.networks.actor?.tensors ?? {};
    const parameters = [...states.values()]
      .filter(({ name }) => name.startsWith("actor."))
      .map(({ name, shape }) => ({
        name: name.slice("actor.".length),
        shape: shape.map((size) => evalDim(size, binding)),
        values: tensors[name.slice("actor.".length)] as Float32Array,
      }));
    const noise = plainNoise(parameters, { key: hostKey(...KEY), iteration: 0, directions: 4, rank });
    const [seed, slot, generation] = KEY;
    const own = perturbedCopy(wasm, pendulum, agent, { seed, slot, generation, copy: 5, progress: 0.5 });
    // The backward copy of the third pair, with half of sigma.
    for (const { name, values } of parameters)
      for (const [i, value] of values.entries())
        expect(own.networks.actor?.tensors[name]?.[i], `${name}[${i}]`).toBeCloseTo(
          value - 0.05 * (noise.get(name)?.[2]?.[i] as number),
          5,
        );
  });

  it("plays the same episodes with both copies of a pair", () => {
    // Without noise to speak of, copies differ only by their episodes.
    const returnsOf = (common_random_numbers: boolean) => {
      const agent = es({ sigma: 1e-6, common_random_numbers }, cartPole);
      const arena = loaded(agent, cartPole, 1);
      runOnWasm(wasm, arena, compiledProgram(agent, cartPole, "turn"));
      const returns = Array.from(arena.read("evolution.returns"));
      arena.release();
      return returns.filter((_, i) => i % 2 === 0).map((value, i) => value - (returns[2 * i + 1] as number));
    };
    expect(returnsOf(true)).toEqual([0, 0, 0, 0]);
    expect(returnsOf(false).some((difference) => difference !== 0)).toBe(true);
  });

  it("learns the statistics of all observations at its end", () => {
    const agent = es({ episodes: 2 }, pendulum, { normalization: NORMALIZED });
    const { agent: after } = compiledTurn(agent, pendulum, { evo_steps: 1 });
    const found = after.normalization?.observations;
    expect(Array.from(found?.count ?? [])).toEqual([3200, 3200, 3200]);
    // cos and sin of the angle, and the speed, which is at most 8.
    const [x, y, speed] = Array.from(found?.variance ?? [], (v, i) => v + (found?.mean[i] ?? 0) ** 2);
    expect((x ?? 0) + (y ?? 0)).toBeCloseTo(1, 4);
    expect(speed).toBeGreaterThan(0.1);
    expect(speed).toBeLessThan(64);
  });
});

describe("a turn in environments of the host", () => {
  it("leaves what one in a compiled environment leaves, in passes of fewer lanes than episodes", () => {
    // Without draws of the environment, and with memory, statistics and two iterations.
    const action_space = new Box({ low: -3, high: 3, shape: [2] });
    const env = aimEnvironment(action_space, [1.5, -2], [1, 1]);
    const agent = es({ perturbations: 10, episodes: 2, rank: 1, lr_schedule: "linear" }, env, {
      normalization: NORMALIZED,
    });
    const change = { evo_steps: 40, num_envs: 3, schedule: { progress: 0, progress_step: 0.01 } };
    const compiled = compiledTurn(agent, env, change);
    const host = hostTurn(agent, new CompiledVectorEnvironment(env, 3, prepareProgram), change);
    expect(host.env_steps).toBe(40);
    expect(host.env_steps).toBe(compiled.env_steps);
    const numbers = ({ networks }: AgentState) =>
      Object.values(networks.actor?.tensors ?? {}).flatMap((values) => [...values]);
    for (const [i, value] of numbers(compiled.agent).entries())
      expect(numbers(host.agent)[i]).toBeCloseTo(value, 5);
    expect(host.metrics.return_mean).toBeCloseTo(compiled.metrics.return_mean as number, 4);
    expect(host.agent.normalization).toEqual(compiled.agent.normalization);
    expect(host.score).toBeCloseTo(compiled.score as number, 4);
  });

  it("learns what needs memory, which begins anew with each episode", () => {
    const env = cueEnvironment(3);
    const memory = { encoder_config: { hidden_state_size: 6, num_layers: 1 } };
    const agent = es({ perturbations: 32, episodes: 4, sigma: 0.2, lr: 0.1, recurrent: true }, env, {
      network: { ...network, ...memory },
    });
    const lanes = new CompiledVectorEnvironment(env, 32, prepareProgram);
    expect(hostTurn(agent, lanes, { evo_steps: 30_000, num_envs: 32 }).fitness).toBe(1);
  });
});

/** Episodes of one step, whose reward is minus the square of the action, and no number above a limit. */
const limited = (limit: number): CompiledEnvironment =>
  compiledEnvironment({
    id: `test/Limited${limit}-v0`,
    observation_space: new Box({ low: -1, high: 1 }),
    action_space: new Box({ low: -1, high: 1 }),
    max_episode_steps: 1,
    reward_threshold: null,
    resetRanges: { still: [0, 0] },
    observe: ({ still }) => still as Tensor,
    step: ({ still }, action) => {
      const number = column(action, 0);
      const reward = select(greater(number, limit), div(sub(number, number), 0), mul(square(number), -1));
      return { state: { still: still as Tensor }, reward, terminated: greater(still as Tensor, 1) };
    },
  });

describe("copies without a finite return", () => {
  it("are left out with the other of their pair, and counted", () => {
    const env = limited(0.02);
    const { agent, metrics } = compiledTurn(es({ sigma: 0.2, perturbations: 32 }, env), env, {
      evo_steps: 1,
    });
    expect(metrics.left_out).toBeGreaterThan(0);
    expect(metrics.left_out).toBeLessThan(32);
    expect((metrics.left_out as number) % 2).toBe(0);
    expect(
      Object.values(agent.networks.actor?.tensors ?? {})
        .flatMap((v) => [...v])
        .every(Number.isFinite),
    ).toBe(true);
  });

  it("end the turn if they are all, naming what gave no number", () => {
    const env = limited(-2);
    expect(() => compiledTurn(es({}, env), env, { evo_steps: 1 })).toThrow(/return of each of its copies/);
  });
});

describe("learning", () => {
  it("does not move where all returns are equal", () => {
    const env = aimEnvironment(new Box({ low: -1, high: 1 }), [0], [1e30]);
    const before = es({ sigma: 0.1 }, env);
    const { agent, metrics } = compiledTurn(before, env, { evo_steps: 40 });
    expect(metrics.return_std).toBe(0);
    expect(agent.networks).toEqual(before.networks);
  });

  it.each([
    { optimizer: "adam", lr: 0.05, fitness_shaping: "centered_ranks" },
    { optimizer: "sgd", lr: 0.005, fitness_shaping: "standardized" },
  ] as const)("finds the best action by $optimizer", (fields) => {
    const env = aimEnvironment(new Box({ low: -3, high: 3, shape: [2] }), [1.5, -2], [1, 1]);
    const agent = es({ perturbations: 32, sigma: 0.1, weight_decay: 0, ...fields }, env);
    expect(compiledTurn(agent, env, { evo_steps: 32 * 150 }).fitness).toBeGreaterThan(-0.05);
  });
});

describe("the metrics of a step", () => {
  it.each(["adam", "sgd"] as const)(
    "are its norm, and its direction against the last one's (%s)",
    (optimizer) => {
      const change = { evo_steps: 1 };
      const start = es({ optimizer, lr: 0.02, sigma: 0.1, weight_decay: 0 }, pendulum);
      const numbers = ({ networks }: AgentState) =>
        Object.values(networks.actor?.tensors ?? {}).flatMap((values) => [...values]);
      const product = (a: readonly number[], b: readonly number[]) =>
        a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);
      const first = compiledTurn(start, pendulum, change);
      const second = compiledTurn(first.agent, pendulum, { ...change, generation: 1 });
      const steps = [
        [start, first.agent],
        [first.agent, second.agent],
      ].map(([from, to]) => {
        const before = numbers(from as AgentState);
        return numbers(to as AgentState).map((x, i) => x - (before[i] as number));
      }) as [number[], number[]];
      const norms = steps.map((step) => Math.sqrt(product(step, step))) as [number, number];
      expect(first.metrics.update_cosine).toBe(0);
      expect(first.metrics.update_norm).toBeCloseTo(norms[0], 4);
      expect(second.metrics.update_norm).toBeCloseTo(norms[1], 4);
      const cosine = product(...steps) / (norms[0] * norms[1]);
      expect(Math.abs(cosine)).toBeGreaterThan(0.005);
      expect(second.metrics.update_cosine).toBeCloseTo(cosine, 3);
    },
  );
});

describe("iterations on WebGPU", () => {
  const assertOnce = comparedShaders(import.meta.url);
  const memory = { encoder_config: { hidden_state_size: 6, num_layers: 1 } };

  it.each<[string, AgentState, CompiledEnvironment]>([
    [
      "rank one, normalised observations",
      es({ perturbations: 4 }, cartPole, { normalization: NORMALIZED }),
      cartPole,
    ],
    [
      "full rank, memory",
      es({ perturbations: 4, rank: null, recurrent: true }, cartPole, { network: { ...network, ...memory } }),
      cartPole,
    ],
  ])("leave what they leave on wasm: %s", (name, agent, env) =>
    assertOnce(name, [compiledProgram(agent, env, "turn")], async () => {
      const gpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
      const arena = loaded(agent, env, 2);
      const program = compiledProgram(agent, env, "turn");
      const before = buffersOf(arena, statesOf([program]));
      await runOnBoth(wasm, gpu, arena, program);
      expect(buffersOf(arena, statesOf([program]))).not.toEqual(before);
      arena.release();
      gpu.close();
    }),
  );
});
