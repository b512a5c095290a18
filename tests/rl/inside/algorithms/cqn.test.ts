/** Conservative Q-learning: its loss, and turns that learn from fixed rows. */

import { afterAll, describe, expect, it } from "vitest";
import { CQN as AgentOfCQN } from "../../../../src/agents/index.ts";
import {
  type AgentState,
  agentContents,
  bindAgent,
  type CompiledPurpose,
  compiledProgram,
  DeviceReplay,
  emptyRows,
  HostMemberRunner,
  keyContents,
  mutateArchitecture,
  offPolicyContents,
  offPolicySizes,
  type ReplayRows,
  sliceBindings,
  structureOf,
} from "../../../../src/agents/members.ts";
import { Random } from "../../../../src/evolution/index.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../../src/kernels/wgsl/device.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import { CQN } from "../../../../src/rl/definitions.ts";
import { findCompiledEnvironment, makeVector } from "../../../../src/rl/environments.ts";
import { readNetworks } from "../../../../src/rl/programs/learning.ts";
import { replayFields } from "../../../../src/rl/programs.ts";
import { offPolicyBatches } from "../../../../src/training/executors.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { softwareAdapter } from "../../../kernels/support/softwareAdapter.ts";
import { agentOf } from "../../support/agents.ts";
import { type Buffers, buffersOf, expectClose, runOnWasm, statesOf } from "../../support/slicedLearning.ts";
import { compiledTurn, finish, offPolicyOf, turnOf } from "../../support/turns.ts";

const cartPole = findCompiledEnvironment("CartPole-v1");
const network = { latent_dim: 6, encoder_config: { hidden_size: [7] }, head_config: { hidden_size: [5] } };

describe("the loss of a batch", () => {
  const GAMMA = 0.9;
  const batch = {
    obs: [
      [0.1, 0.2, -0.3, 0.4],
      [1, 0, 0.5, -1],
      [-0.7, 0.3, 0, 0.2],
    ],
    action: [0, 1, 1],
    reward: [1, -2, 0.5],
    next_obs: [
      [0, 0.1, 0, 0.4],
      [0.9, 0, 0.5, -1],
      [0, 0, 1, 0],
    ],
    done: [0, 1, 0],
  };

  it.each([
    ["dataset", false],
    ["dataset", true],
    ["all_actions", false],
  ] as const)("is that of the equations, sparing %s, double %s", (conservative, double) => {
    const alpha = 0.6;
    const { observation_space, action_space } = cartPole;
    const fields = { gamma: GAMMA, alpha, conservative, double, tau: 0.3, lr: 0 };
    const agent = new AgentOfCQN({
      observation_space,
      action_space,
      ...fields,
      net_config: network,
      seed: 5,
    });
    const valuesOf = (rows: readonly (readonly number[])[]) => {
      const program = trace("values", () => {
        const q = networkNamed(readNetworks(structureOf(agent.state)), "actor").forward(
          state("obs", [rows.length, 4]).read(),
        );
        state("q", q.shape).write(q);
      });
      const { networks } = agent.state;
      const weights = Object.entries(networks.actor?.tensors ?? {}).map(([name, values]) => [
        `actor.${name}`,
        [...values],
      ]);
      const initial = { ...Object.fromEntries(weights), obs: rows.flat() };
      const { q: found = [] } = runOnReference(
        program,
        bindAgent(agent.state, { num_envs: 1, batch: 1 }),
        initial,
        {
          precision: "f64",
        },
      );
      return rows.map((_, i) => found.slice(2 * i, 2 * i + 2));
    };
    const q = valuesOf(batch.obs);
    const next = valuesOf(batch.next_obs);
    let [squared, conservativeSum, all] = [0, 0, 0];
    batch.action.forEach((action, i) => {
      const [own, after] = [q[i], next[i]].map((row) => Array.from(row as ArrayLike<number>)) as [
        number[],
        number[],
      ];
      // A new agent's target network is a copy, so it does not matter which network chooses.
      const y = (batch.reward[i] as number) + GAMMA * (1 - (batch.done[i] as number)) * Math.max(...after);
      squared += ((own[action] as number) - y) ** 2;
      conservativeSum += Math.log(own.reduce((sum, x) => sum + Math.exp(x), 0)) - (own[action] as number);
      all +=
        Math.log(own.reduce((sum, x) => sum + Math.exp(x), 0)) -
        own.reduce((sum, x) => sum + x, 0) / own.length;
    });
    const n = batch.action.length;
    const expected = (0.5 * squared) / n + (alpha * (conservative === "dataset" ? conservativeSum : all)) / n;
    expect(agent.learn({ ...batch, obs: batch.obs.flat(), next_obs: batch.next_obs.flat() })).toBeCloseTo(
      expected,
      5,
    );
  });
});

/** Random rows with CartPole's layout. */
function rowsOf(count: number): ReplayRows {
  const rows = emptyRows(replayFields(cartPole), count);
  const random = new Random({ seed: 3 });
  for (const name of ["obs", "next_obs"] as const)
    rows[name].set(Array.from(rows[name], () => 0.2 * random.uniform() - 0.1));
  rows.action.set(Array.from(rows.action, () => (random.uniform() < 0.5 ? 0 : 1)));
  rows.reward.fill(1);
  rows.done.set(Array.from(rows.done, () => (random.uniform() < 0.1 ? 1 : 0)));
  return rows;
}

const ROWS = 50;
const held = rowsOf(ROWS);
const off_policy = offPolicyOf({
  offline: true,
  ring: { position: 0, count: ROWS },
  visible: [{ start: 0, length: ROWS }],
});
const cqn = () =>
  agentOf({ name: "CQN", batch_size: 21, lr: 1e-2, tau: 0.05 }, { ...cartPole, seed: 3, network });
const TURN = turnOf({ evo_steps: 37, num_envs: 3, eval_steps: 20, off_policy });

describe("a turn from a data set", () => {
  it("is learning steps alone: each counts, nothing is played or stored", () => {
    const agent = cqn();
    const result = compiledTurn(agent, cartPole, TURN, { segment: ROWS, held });
    expect(result).toMatchObject({ env_steps: 37, learn_steps: 37, score: null, off_policy: null });
    expect(result.agent.steps).toBe(37);
    expect(result.agent.optimizers.optimizer?.step).toBe(37);
    expect(result.metrics.loss).toBeGreaterThan(0);
    expect(Object.keys(result.metrics)).toEqual([
      "loss",
      "conservative_loss",
      "q_mean",
      "td_error",
      "grad_norm",
    ]);
    expect(result.agent.networks).not.toEqual(agent.networks);
  });

  it("ends with the same weights where the host steps the environment that evaluates", () => {
    const device = new WasmDevice();
    const env = makeVector("CartPole-v1", 3);
    const replay = new DeviceReplay(device, cartPole, 1, ROWS);
    replay.write(0, 0, ROWS, held);
    const { result, slices } = finish(new HostMemberRunner(device, env, replay).turn(cqn(), TURN));
    const compiled = compiledTurn(cqn(), cartPole, TURN, { segment: ROWS, held });
    expect(result.agent.networks).toEqual(compiled.agent.networks);
    expect(slices.reduce((sum, { learn_steps }) => sum + learn_steps, 0)).toBe(37);
    device.close();
  });

  it("goes on after mutations of its networks", () => {
    let agent = cqn();
    for (let key = 0; key < 4; key++)
      agent = mutateArchitecture(agent, CQN, { new_layer_prob: 0.5, key: { seed: key } }).agent;
    expect(agent.networks.actor?.data).not.toEqual(cqn().networks.actor?.data);
    const { learn_steps } = compiledTurn(agent, cartPole, TURN, { segment: ROWS, held });
    expect(learn_steps).toBe(37);
  });
});

describe("the same turn in slices", () => {
  const device = new WasmDevice();
  afterAll(() => device.close());
  const SLICES = 4;
  const sizes = { ...offPolicySizes(cqn(), 3, off_policy, ROWS), slices: SLICES };
  const program = (agent: AgentState, purpose: CompiledPurpose) => compiledProgram(agent, cartPole, purpose);
  const parts = sliceBindings(sizes);

  function loaded() {
    const agent = cqn();
    const [lessons, gradients, draw] = (["lessons", "gradients", "draw"] as const).map((p) =>
      program(agent, p),
    );
    if (!lessons || !gradients || !draw) throw new Error("there are no programs");
    const replay = new DeviceReplay(device, cartPole, 1, ROWS);
    replay.write(0, 0, ROWS, held);
    const states = statesOf([lessons, gradients, draw]);
    const arena = device.arena(states, bindAgent(agent, sizes), replay.arena);
    for (const [name, values] of [
      ...agentContents(agent),
      ...keyContents(5, 0, 1, 1),
      ...offPolicyContents(TURN, ROWS, off_policy),
    ])
      if (arena.has(name)) arena.write(name, values);
    return { arena, lessons, gradients, draw, states };
  }

  /** The buffers that both paths share, without the intermediate buffers of one path. */
  const left = (buffers: Buffers): Buffers =>
    new Map([...buffers].filter(([name]) => !/^(turn\.|learning\.|drawn\.|slice)/.test(name)));

  it("ends like one program, on wasm and on WebGPU", async () => {
    const whole = loaded();
    whole.arena.write("turn.steps", [TURN.evo_steps]);
    runOnWasm(device, whole.arena, whole.lessons);
    const expected = left(buffersOf(whole.arena, statesOf([whole.lessons])));
    expect(expected.get("counter.learned")).toEqual([37]);

    const sliced = loaded();
    const { gradients, draw, lessons } = sliced;
    const pairs = offPolicyBatches({ agent: cqn(), turn: TURN });
    expect(pairs).toBe(37);
    const start = buffersOf(sliced.arena, sliced.states);
    runOnWasm(device, sliced.arena, draw);
    for (let i = 0; i < pairs; i++) {
      runOnWasm(device, sliced.arena, gradients, parts);
      runOnWasm(device, sliced.arena, draw);
    }
    expectClose(left(buffersOf(sliced.arena, statesOf([lessons]))), expected);
    expect(sliced.arena.read("learning.active")[0]).toBe(0);

    const gpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
    const ROUNDS = 4;
    const again = loaded();
    runOnWasm(device, again.arena, draw);
    for (let i = 0; i < ROUNDS; i++) {
      runOnWasm(device, again.arena, gradients, parts);
      runOnWasm(device, again.arena, draw);
    }
    const own = gpu.arena(sliced.states, again.arena.binding);
    for (const [name, values] of start) own.write(name, values);
    const [first, second] = await Promise.all([gpu.compile(gradients), gpu.compile(draw)]);
    const slices = gpu.cohort(parts.map((part) => first.bind(own, part)));
    const step = gpu.cohort([second.bind(own)]);
    step.run();
    for (let i = 0; i < ROUNDS; i++) {
      slices.run();
      step.run();
    }
    const found = new Map<string, number[]>();
    const compared = statesOf([lessons]);
    for (const { name } of compared) found.set(name, Array.from(await own.read(name)));
    expectClose(left(found), left(buffersOf(again.arena, compared)));
    gpu.close();
  });
});
