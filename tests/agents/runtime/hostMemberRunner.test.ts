import { describe, expect, it } from "vitest";
import { collectRollouts } from "../../../src/agents/index.ts";
import { type AgentState, HostMemberRunner } from "../../../src/agents/members.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { add, cast, column, greater, mul, stackColumns, sub } from "../../../src/kernels/index.ts";
import {
  type CompiledEnvironment,
  CompiledVectorEnvironment,
  compiledEnvironment,
  makeVector,
  prepareProgram,
} from "../../../src/rl/environments.ts";
import { SyncVectorEnvironment, type VectorEnvironment } from "../../../src/rl/faces.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, type Space } from "../../../src/rl/spaces.ts";
import { agentOf, NORMALIZED } from "../../rl/support/agents.ts";
import { probe } from "../../rl/support/probes.ts";
import { compiledTurn, finish, hostTurn, turnOf } from "../../rl/support/turns.ts";

/**
 * An environment whose episodes all start the same (the reset's draws are ignored), so that stepping on the
 * host and on the device must agree bit for bit. A point is pushed, and the episode ends when it has gone too
 * far.
 */
function sameStart(id: string, action_space: Space): CompiledEnvironment {
  const push = (action: Parameters<CompiledEnvironment["step"]>[1]) =>
    action_space.kind === "Discrete"
      ? sub(mul(cast(action, "f32"), 2), 1)
      : sub(cast(column(action, 0), "f32"), mul(cast(column(action, 1), "f32"), 0.5));
  return compiledEnvironment({
    id,
    observation_space: new Box({ low: -10, high: 10, shape: [2] }),
    action_space,
    max_episode_steps: 30,
    reward_threshold: null,
    resetRanges: { position: [0.25, 0.25], speed: [0, 0], unseen: [0, 1] },
    observe: ({ position, speed }) => stackColumns([position, speed]),
    step: ({ position, speed, unseen }, action) => {
      const faster = add(mul(speed, 0.9), mul(push(action), 0.1));
      const moved = add(position, faster);
      return {
        state: { position: moved, speed: faster, unseen },
        reward: sub(1, mul(moved, moved)),
        terminated: greater(mul(moved, moved), 1),
      };
    },
  });
}

const discrete = sameStart("Point-v0", new Discrete(2));
const box = sameStart("PointBox-v0", new Box({ low: [-1, -0.5], high: [2, 1], shape: [2] }));
const several = sameStart("PointSeveral-v0", new MultiDiscrete([2, 3]));
const bits = sameStart("PointBits-v0", new MultiBinary(2));

const RECURRENT = {
  name: "PPO",
  recurrent: true,
  max_seq_len: 7,
  batch_size: 5,
  learn_step: 60,
  lr: 1e-3,
} as const;
const recurrentNetwork = { latent_dim: 8, encoder_config: { hidden_state_size: 8, num_layers: 2 } };

const agentIn = (env: CompiledEnvironment, fields: Parameters<typeof agentOf>[0]): AgentState =>
  agentOf(fields, { ...env, ...("recurrent" in fields ? { network: recurrentNetwork } : {}) });
const hostOf = (env: CompiledEnvironment, num_envs: number): VectorEnvironment =>
  new CompiledVectorEnvironment(env, num_envs, prepareProgram);

const cases: [string, CompiledEnvironment, Parameters<typeof agentOf>[0]][] = [
  ["DQN", discrete, { name: "DQN", batch_size: 16, learn_step: 3, lr: 1e-3 }],
  ["double DQN", discrete, { name: "DQN", batch_size: 16, learn_step: 8, double: true, lr: 1e-3 }],
  ["PPO", discrete, { name: "PPO", batch_size: 24, learn_step: 64, lr: 1e-3 }],
  [
    "PPO, encoders apart",
    discrete,
    { name: "PPO", batch_size: 64, learn_step: 60, share_encoders: false, lr: 1e-3 },
  ],
  ["PPO with several choices", several, { name: "PPO", batch_size: 24, learn_step: 64, lr: 1e-3 }],
  ["PPO with bits", bits, { name: "PPO", batch_size: 24, learn_step: 64, lr: 1e-3 }],
  ["recurrent PPO", discrete, { ...RECURRENT, bptt_sequence_type: "fifty_percent_overlap" }],
  ["recurrent PPO, encoders apart", discrete, { ...RECURRENT, share_encoders: false }],
  ["PPO with continuous actions", box, { name: "PPO", batch_size: 24, learn_step: 64, lr: 1e-3 }],
];

const normalizing: typeof cases = [
  ["DQN", discrete, { name: "DQN", batch_size: 16, learn_step: 3, lr: 1e-3 }],
  ["recurrent PPO", discrete, { ...RECURRENT, bptt_sequence_type: "fifty_percent_overlap" }],
];

describe("a turn that the host steps", () => {
  it.each(normalizing)("learns the same statistics as one on the device (%s)", (_name, env, fields) => {
    const network = "recurrent" in fields ? { network: recurrentNetwork } : {};
    const agent = agentOf(fields, { ...env, ...network, normalization: NORMALIZED });
    const turn = { evo_steps: 256, num_envs: 4 };
    const [host, compiled] = [hostTurn(agent, hostOf(env, 4), turn), compiledTurn(agent, env, turn)];
    expect(host.agent.normalization?.observations?.count[0]).toBe(host.agent.steps);
    expect(host.agent).toEqual(compiled.agent);
  });

  it.each(cases)("ends with the bits of one that runs on the device (%s)", (_name, env, fields) => {
    const agent = agentIn(env, fields);
    const turn = { evo_steps: 256, num_envs: 4, eval_loop: 2 };
    const host = hostTurn(agent, hostOf(env, 4), turn);
    const compiled = compiledTurn(agent, env, turn);
    expect(host.learn_steps).toBeGreaterThan(10);
    expect(host.score).not.toBeNull();
    // A score is a sum over lanes, which may be added in a different order.
    expect(host.evaluation?.lengths).toHaveLength(8);
    expect({ ...host, score: null }).toEqual({ ...compiled, score: null });
    expect(host.score).toBeCloseTo(compiled.score as number, 4);
  });

  it("is the same after a member whose memory has another width", () => {
    const member = (hidden_state_size: number) =>
      agentOf(RECURRENT, {
        ...discrete,
        network: { latent_dim: 8, encoder_config: { hidden_state_size, num_layers: 1 } },
      });
    const runner = new HostMemberRunner(new WasmDevice(), hostOf(discrete, 2), null);
    const turn = turnOf({ num_envs: 2, evo_steps: 128 });
    const [first, second] = [12, 8].map((width) => finish(runner.turn(member(width), turn)).result.agent);
    expect(first).toEqual(hostTurn(member(12), hostOf(discrete, 2), turn).agent);
    expect(second).toEqual(hostTurn(member(8), hostOf(discrete, 2), turn).agent);
    runner.release();
  });

  it("is the same for single environments behind the vector face", () => {
    const agent = agentOf({ name: "PPO", learn_step: 32 }, probe("policy"));
    const turn = { evo_steps: 128, num_envs: 2 };
    const vector = () => new SyncVectorEnvironment([() => probe("policy"), () => probe("policy")]);
    const shared = vector();
    expect(hostTurn(agent, shared, turn)).toEqual(hostTurn(agent, vector(), turn));
    // Environments restart from a seed, whatever happened in them before.
    expect(hostTurn(agent, shared, turn)).toEqual(hostTurn(agent, vector(), turn));
    expect(hostTurn(agent, shared, { ...turn, seed: 1 }).agent.networks).not.toEqual(
      hostTurn(agent, shared, turn).agent.networks,
    );
  });

  it("yields what it did, and nothing twice", () => {
    const env = makeVector("CartPole-v1", 4);
    const agent = agentOf({ name: "PPO", learn_step: 32 });
    const runner = new HostMemberRunner(new WasmDevice(), env, null);
    const { slices, result } = finish(runner.turn(agent, turnOf({ evo_steps: 100, eval_steps: 5 })));
    expect(slices.reduce((sum, s) => sum + s.env_steps, 0)).toBe(result.env_steps);
    expect(slices.reduce((sum, s) => sum + s.learn_steps, 0)).toBe(result.learn_steps);
    expect(result.env_steps).toBe(128);
    expect(result.fitness).toBe(5);
    expect(result.agent.steps).toBe(128);
    env.close();
  });

  it("names its members in the device's reports", () => {
    const env = makeVector("CartPole-v1", 4);
    const device = new WasmDevice();
    const runner = new HostMemberRunner(device, env, null);
    const agent = agentOf({ name: "PPO", learn_step: 32 });
    for (const slot of [2, 5]) finish(runner.turn(agent, turnOf({ evo_steps: 64, eval_steps: 5, slot })));
    const programs = device.kernels();
    expect(programs.map(({ name }) => name)).toContain("PPO.learn");
    const structures = [expect.stringMatching(/^PPO; .*actor: stochastic_actor 4 > mlp/)];
    for (const program of programs) expect(program).toMatchObject({ members: [2, 5], structures });
    env.close();
  });

  it("takes rollouts from a collector of the caller's, with the same bits when it does the same", () => {
    const agent = agentOf({ name: "PPO", learn_step: 32 }, probe("policy"));
    const vector = () => new SyncVectorEnvironment([() => probe("policy"), () => probe("policy")]);
    const turn = { evo_steps: 128, num_envs: 2 };
    const plain = hostTurn(agent, vector(), turn);
    let calls = 0;
    const wrapped = hostTurn(agent, vector(), turn, {
      collect_rollouts_fn: (options) => {
        calls++;
        // An extra action for one observation must not change later draws or learning.
        options.agent.getAction(1, { training: false });
        return collectRollouts(options);
      },
    });
    expect(calls).toBe(4);
    expect({ ...wrapped, metrics: null }).toEqual({ ...plain, metrics: null });
    for (const [name, value] of Object.entries(plain.metrics))
      expect(wrapped.metrics[name]).toBeCloseTo(value, 4);
    expect(() =>
      hostTurn(agent, vector(), turn, {
        collect_rollouts_fn: (options) => collectRollouts({ ...options, n_steps: 3 }),
      }),
    ).toThrow("filled 3 steps of agent.rollout_buffer, allowed n_steps (16)");
  });

  it("names what is wrong with the environment", () => {
    const agent = agentOf({ name: "DQN" }, probe("policy"));
    const env = new SyncVectorEnvironment([() => probe("policy")]);
    expect(() => hostTurn(agent, env, { num_envs: 3 })).toThrow("turn.num_envs: found 3, allowed 1");
    const broken: VectorEnvironment = {
      num_envs: 1,
      single_observation_space: env.single_observation_space,
      single_action_space: env.single_action_space,
      reset: (options) => env.reset(options),
      step: (actions) => ({ ...env.step(actions), reward: new Float32Array([Number.NaN]) }),
      close: () => {},
    };
    expect(() => hostTurn(agent, broken, { num_envs: 1 })).toThrow(
      "env.step() 1: reward of lane 0: found NaN",
    );
  });
});
