/** Turns that tell their training episodes one by one. */
import { describe, expect, it } from "vitest";
import { type AgentState, MemberRunner, type TurnResult } from "../../../src/agents/members.ts";
import { sharedDevice } from "../../../src/kernels/devices.ts";
import {
  CompiledVectorEnvironment,
  findCompiledEnvironment,
  prepareProgram,
} from "../../../src/rl/environments.ts";
import { SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { agentOf, NORMALIZED } from "../../rl/support/agents.ts";
import { probe } from "../../rl/support/probes.ts";
import { compiledTurn, finish, hostTurn, turnOf } from "../../rl/support/turns.ts";

const cartPole = findCompiledEnvironment("CartPole-v1");
const TELLS = { tells_episodes: true } as const;

const DQN = { name: "DQN", batch_size: 16, learn_step: 8 } as const;
const PPO = { name: "PPO", batch_size: 32, learn_step: 128 } as const;

const steps = ({ training = [] }: TurnResult) => training.map(([step]) => step);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A member that has trained before. */
const member = (spec: typeof DQN | typeof PPO, normalized = false): AgentState => ({
  ...agentOf(spec, normalized ? { normalization: { ...NORMALIZED, reward_scale: 0.01 } } : {}),
  steps: 5000,
});

describe("the training episodes of a turn", () => {
  it.each([
    ["DQN", DQN],
    ["PPO", PPO],
  ] as const)("are told without a change to what it learns (%s)", (_name, spec) => {
    const agent = member(spec);
    const { training, ...told } = compiledTurn(agent, cartPole, { evo_steps: 640, ...TELLS });
    expect(told).toEqual(compiledTurn(agent, cartPole, { evo_steps: 640 }));
    expect(training?.length).toBeGreaterThan(4);
  });

  it.each([
    ["DQN", DQN],
    ["PPO", PPO],
  ] as const)("are all there if they are few, with the environment's own rewards (%s)", (_name, spec) => {
    // No two episodes of a lane end within the four steps of a window.
    const result = compiledTurn(member(spec, true), cartPole, { evo_steps: 640, ...TELLS });
    const { training = [], score } = result;
    expect(training.length).toBeGreaterThan(4);
    expect(mean(training.map(([, ret]) => ret))).toBeCloseTo(score as number, 4);
    expect(steps(result)).toEqual([...steps(result)].sort((a, b) => a - b));
    expect(Math.min(...steps(result))).toBeGreaterThan(5000);
    expect(Math.max(...steps(result))).toBeLessThanOrEqual(result.agent.steps);
    for (const [, ret] of training) expect(Number.isInteger(ret)).toBe(true);
  });

  it("come with slices, each once", () => {
    const runner = new MemberRunner(sharedDevice(), cartPole, null);
    const turn = turnOf({ evo_steps: 640, ...TELLS });
    const { slices, result } = finish(runner.turn(member(PPO), turn));
    runner.release();
    expect(slices.filter(({ episodes = [] }) => episodes.length > 0).length).toBeGreaterThan(1);
    expect(slices.flatMap(({ episodes = [] }) => episodes)).toEqual(result.training);
    const plain = new MemberRunner(sharedDevice(), cartPole, null);
    const silent = finish(plain.turn(member(PPO), turnOf({ evo_steps: 640 })));
    plain.release();
    for (const slice of silent.slices) expect(slice).not.toHaveProperty("episodes");
    expect(silent.result).not.toHaveProperty("training");
  });

  it("are the same in an environment that the host steps", () => {
    // Its episodes all start the same.
    const probed = probe("policy");
    const vector = () => new SyncVectorEnvironment([() => probed, () => probe("policy")]);
    const agent = agentOf(PPO, probed);
    const turn = { evo_steps: 256, num_envs: 2, ...TELLS };
    const { training = [], score } = hostTurn(agent, vector(), turn);
    expect(mean(training.map(([, ret]) => ret))).toBeCloseTo(score as number, 4);
    const { training: learnt, ...rest } = hostTurn(agent, vector(), turn);
    expect(learnt).toEqual(training);
    expect(rest).toEqual(hostTurn(agent, vector(), { ...turn, tells_episodes: undefined as never }));
  });

  it("are bounded: of each lane the last of each window", () => {
    const lanes = 64;
    const turn = { evo_steps: 64 * 200, num_envs: lanes, ...TELLS };
    const result = compiledTurn(member(DQN), cartPole, turn, { segment: 20_000 });
    expect(result.training?.length).toBeGreaterThan(lanes);
    expect(result.training?.length).toBeLessThanOrEqual(256);
    // The last window has one of every lane that finished an episode in it.
    const late = steps(result).filter((step) => step > 5000 + (lanes * 200 * 3) / 4);
    expect(late.length).toBeGreaterThan(lanes / 2);
  });

  it("are kept by programs as by the host", () => {
    const env = () => new CompiledVectorEnvironment(cartPole, 4, prepareProgram);
    const { training = [], score } = hostTurn(member(DQN), env(), { evo_steps: 640, ...TELLS });
    expect(training.length).toBeGreaterThan(4);
    expect(mean(training.map(([, ret]) => ret))).toBeCloseTo(score as number, 4);
  });
});
