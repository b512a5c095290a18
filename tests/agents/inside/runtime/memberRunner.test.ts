import { afterEach, describe, expect, it, vi } from "vitest";
import { advance } from "../../../../src/agents/buffers/replayRows.ts";
import {
  type AgentState,
  DeviceReplay,
  MemberRunner,
  type Segment,
  type Turn,
  type TurnResult,
  visiblePart,
} from "../../../../src/agents/members.ts";
import { DivergedError } from "../../../../src/evolution/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";
import { decodeAgent, encodeAgent } from "../../../../src/training/files.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { compiledTurn, finish, offPolicyOf, turnOf } from "../../../rl/support/turns.ts";

const cartPole = findCompiledEnvironment("CartPole-v1");
const pendulum = findCompiledEnvironment("Pendulum-v1");

const dqn = (seed = 1, index = 0) =>
  agentOf({ name: "DQN", batch_size: 16, learn_step: 3, lr: 1e-3 }, { ...cartPole, seed, index });
const ppo = (env = cartPole, seed = 1) =>
  agentOf({ name: "PPO", batch_size: 24, learn_step: 64, lr: 1e-3 }, { ...env, seed });

const kinds: [string, () => AgentState, typeof cartPole][] = [
  ["DQN", dqn, cartPole],
  ["PPO", ppo, cartPole],
  ["PPO with continuous actions", () => ppo(pendulum), pendulum],
];

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a member's turn", () => {
  it.each(kinds)("has the same bits for the same seed, other ones for another (%s)", (_name, agent, env) => {
    const turn = { evo_steps: 256, eval_loop: 2, eval_steps: 50 };
    const first = compiledTurn(agent(), env, turn);
    expect(compiledTurn(agent(), env, turn, { device: new WasmDevice() })).toEqual(first);
    for (const change of [{ seed: 8 }, { slot: 0, generation: 1 }]) {
      const other = compiledTurn(agent(), env, { ...turn, ...change });
      expect(other.agent.networks).not.toEqual(first.agent.networks);
    }
  });

  it("counts a DQN's steps and the learning steps they earn", () => {
    const turn = { evo_steps: 200, num_envs: 4, eval_steps: 50 };
    const result = compiledTurn(dqn(), cartPole, turn);
    const { env_steps, learn_steps, agent, fitness, metrics, evaluation } = result;
    // Each of 50 vector steps earns 4 steps of credit. A learning step costs 3, once 16 transitions are in
    // the buffer.
    const earned = Array.from({ length: 50 }, (_, i) => Math.floor((4 * (i + 1)) / 3));
    const learned = earned.map((n, i) => n - (earned[i - 1] ?? 0)).slice(3);
    expect([env_steps, learn_steps]).toEqual([200, learned.reduce((a, b) => a + b, 0)]);
    expect(agent).toMatchObject({ steps: 200, learn_credit: 200 % 3, fitness: [fitness] });
    expect(agent.optimizers.optimizer?.step).toBe(learn_steps);
    expect(metrics).toMatchObject({ epsilon: result.off_policy?.epsilon, replay_fill: 200 / 1000 });
    expect(Object.keys(metrics)).toEqual([
      "loss",
      "q_mean",
      "td_error",
      "grad_norm",
      "epsilon",
      "replay_fill",
    ]);
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
    // CartPole's reward is 1 per step.
    expect(evaluation?.lengths).toEqual(evaluation?.returns);
  });

  it("counts a PPO's steps and learning steps", () => {
    const turn = { evo_steps: 200, num_envs: 4, eval_steps: 50 };
    const { env_steps, learn_steps, agent, fitness, metrics } = compiledTurn(ppo(), cartPole, turn);
    // Rollouts of 16 vector steps until 200 steps are reached, each with 4 epochs of ceil(64 / 24)
    // minibatches.
    expect([env_steps, learn_steps]).toEqual([4 * 64, 4 * 4 * 3]);
    expect(agent).toMatchObject({ steps: 4 * 64, fitness: [fitness] });
    expect(agent.optimizers.optimizer?.step).toBe(learn_steps);
    expect(Object.keys(metrics)).toEqual([
      "loss",
      "policy_loss",
      "value_loss",
      "entropy_loss",
      "entropy",
      "approx_kl",
      "clip_fraction",
      "grad_norm",
      "explained_variance",
    ]);
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
  });

  it("does not depend on the slices it is cut into", () => {
    const run = (msPerCall: number) => {
      let now = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => {
        now += msPerCall;
        return now;
      });
      const device = new WasmDevice();
      const runner = new MemberRunner(device, cartPole, new DeviceReplay(device, cartPole, 1, 1000));
      const work = finish(runner.turn(dqn(), turnOf({ evo_steps: 400, off_policy: offPolicyOf() })));
      clock.mockRestore();
      return work;
    };
    const [coarse, fine] = [run(0), run(1000)];
    expect(fine.slices.length).toBeGreaterThan(2 * coarse.slices.length);
    expect(fine.result).toEqual(coarse.result);
    for (const { slices, result } of [coarse, fine]) {
      expect(slices.reduce((sum, s) => sum + s.env_steps, 0)).toBe(result.env_steps);
      expect(slices.reduce((sum, s) => sum + s.learn_steps, 0)).toBe(result.learn_steps);
    }
  });

  it("lets no member but the one at fault suffer when numbers run off", () => {
    const agent = ppo();
    const bad = { ...agent, hyperparameters: { ...agent.hyperparameters, lr: 1e38 } };
    const device = new WasmDevice();
    const runner = new MemberRunner(device, cartPole, null);
    const good = finish(runner.turn(agent, turnOf({ eval_steps: 20 }))).result;
    expect(() => finish(runner.turn(bad, turnOf({ slot: 3, eval_steps: 20 })))).toThrow(DivergedError);
    expect(() => finish(runner.turn(bad, turnOf({ slot: 3, eval_steps: 20 })))).toThrow(
      /member 3: .* is no longer a finite number/,
    );
    expect(finish(runner.turn(agent, turnOf({ eval_steps: 20 }))).result).toEqual(good);
  });
});

const POPULATION = 3;
const SEGMENT = 90;
const EVO_STEPS = 64;

/** A thread with a population's replay buffers. */
class Thread {
  readonly device = new WasmDevice();
  readonly replay = new DeviceReplay(this.device, cartPole, POPULATION, SEGMENT);
  readonly runner = new MemberRunner(this.device, cartPole, this.replay);

  take({ slot, off_policy }: TurnResult): void {
    const written = off_policy?.written;
    if (written) this.replay.write(slot, written.start, written.count, written.rows);
  }
}

interface Population {
  readonly agents: readonly AgentState[];
  readonly rings: readonly Segment[];
}

const start = (): Population => ({
  agents: Array.from({ length: POPULATION }, (_, i) => dqn(1, i)),
  rings: Array.from({ length: POPULATION }, () => ({ position: 0, count: 0 })),
});

const turnIn = ({ rings }: Population, slot: number, generation: number): Turn =>
  turnOf({
    slot,
    generation,
    evo_steps: EVO_STEPS,
    eval_steps: 20,
    off_policy: offPolicyOf({
      ring: rings[slot] as Segment,
      visible: rings.map((r) => visiblePart(r, SEGMENT, EVO_STEPS)),
    }),
  });

/** Trains a generation, with each member in the thread `threadOf(slot)`, in the given order. */
function generation(
  population: Population,
  number: number,
  order: readonly number[],
  threadOf: (slot: number) => Thread,
): { population: Population; results: TurnResult[] } {
  const results = new Array<TurnResult>(POPULATION);
  for (const slot of order) {
    const work = threadOf(slot).runner.turn(
      population.agents[slot] as AgentState,
      turnIn(population, slot, number),
    );
    results[slot] = finish(work).result;
  }
  return {
    population: {
      agents: results.map((r) => r.agent),
      rings: results.map((r) => r.off_policy?.ring as Segment),
    },
    results,
  };
}

describe("members of one memory", () => {
  it("do not feel the order of their turns, nor the threads they are spread over", () => {
    const together = new Thread();
    const reversed = new Thread();
    const apart = Array.from({ length: POPULATION }, () => new Thread());
    let [a, b, c] = [start(), start(), start()];
    for (let number = 0; number < 4; number++) {
      const first = generation(a, number, [0, 1, 2], () => together);
      const second = generation(b, number, [2, 0, 1], () => reversed);
      const third = generation(c, number, [1, 2, 0], (slot) => apart[slot] as Thread);
      for (const result of third.results)
        for (const [slot, thread] of apart.entries()) if (slot !== result.slot) thread.take(result);
      expect(second.results).toEqual(first.results);
      expect(third.results).toEqual(first.results);
      [a, b, c] = [first.population, second.population, third.population];
    }
    expect(a.rings).toEqual(
      Array.from({ length: POPULATION }, () => advance({ position: 0, count: 0 }, SEGMENT, 4 * EVO_STEPS)),
    );
    // The members have learned from each other's transitions.
    const alone = { ...start(), agents: start().agents.slice() };
    const lonely = finish(
      new Thread().runner.turn(alone.agents[0] as AgentState, turnIn(alone, 0, 0)),
    ).result;
    expect(lonely.agent.networks).not.toEqual(a.agents[0]?.networks);
  });

  it("go on from files and rows with the same bits as without interruption", () => {
    const whole = new Thread();
    const before = generation(start(), 0, [0, 1, 2], () => whole);
    const resumed = new Thread();
    const agents = before.population.agents.map((agent) => decodeAgent(encodeAgent(agent), "agent").agent);
    for (const [slot, { count }] of before.population.rings.entries())
      resumed.replay.write(slot, 0, count, whole.replay.read(slot, 0, count));
    const after = generation(before.population, 1, [0, 1, 2], () => whole);
    const again = generation({ ...before.population, agents }, 1, [0, 1, 2], () => resumed);
    expect(again.results).toEqual(after.results);
  });
});

describe("evaluation", () => {
  it("is the same alone as at the end of a turn, for any training before", () => {
    const device = new WasmDevice();
    const turn = turnOf({ eval_loop: 2, evo_steps: 64 });
    const { agent, fitness } = compiledTurn(ppo(), cartPole, turn, { device });
    const work = new MemberRunner(device, cartPole, null).evaluate(agent, turn);
    let next = work.next();
    while (!next.done) next = work.next();
    expect(next.value.fitness).toBe(fitness);
  });

  it("cuts episodes at eval_steps and at the environment's own limit", () => {
    const turn = { evo_steps: 64, eval_steps: 3 };
    expect(compiledTurn(ppo(), cartPole, turn).fitness).toBe(3);
    expect(compiledTurn(ppo(), { ...cartPole, max_episode_steps: 2 }, turn).fitness).toBe(2);
  });
});
