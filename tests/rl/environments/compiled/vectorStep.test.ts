import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CartPole,
  carryState,
  flattenCarry,
  MountainCar,
  unflattenCarry,
  vectorReset,
  vectorStep,
} from "../../../../src/agents/index.ts";
import type { Tensor } from "../../../../src/kernels/index.ts";
import { scan, state, sym, trace } from "../../../../src/kernels/index.ts";
import { make, prepareProgram } from "../../../../src/rl/environments.ts";

const lanes = sym("num_envs");
const draws = (count: number): Tensor[] =>
  Array.from({ length: count }, (_, i) => state(`draw.${i}`, [lanes]).read());
const put = (name: string, value: Tensor): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

const oneStep = (env: typeof CartPole) =>
  trace(env.id, () => {
    const carry = carryState(env, lanes);
    const action = state("action", [lanes], { dtype: "i32" }).read();
    const next = vectorStep(env, carry.read(), action, { step: [], reset: draws(env.resetDraws) });
    carry.write(next.carry);
    const { next_obs, obs, reward, terminated, truncated, done } = next;
    for (const [name, value] of Object.entries({ next_obs, obs, reward, terminated, truncated, done }))
      put(name, value);
  });

describe("vectorStep", () => {
  it("resets the lanes that end in the same step and keeps the observation they ended with", () => {
    const run = prepareProgram(oneStep(CartPole), { num_envs: 4 });
    // Lane 0 continues, lane 1 leaves the track, lane 2 reaches the time limit, lane 3 does both.
    run.write("env.x", [0, 2.39, 0, 2.39]);
    run.write("env.x_dot", [0, 1, 0, 1]);
    run.write("env.elapsed", [7, 7, 499, 499]);
    run.write("action", [1, 1, 0, 1]);
    for (let i = 0; i < 4; i++) run.write(`draw.${i}`, [0.25, 0.25, 0.5, 0.75]);
    run.run();
    const flags = (name: string): boolean[] => Array.from(run.read(name), (x) => x !== 0);
    expect(flags("terminated")).toEqual([false, true, false, true]);
    expect(flags("truncated")).toEqual([false, false, true, true]);
    expect(flags("done")).toEqual([false, true, true, true]);
    expect([...run.read("env.elapsed")]).toEqual([8, 0, 0, 0]);
    expect([...run.read("reward")]).toEqual([1, 1, 1, 1]);
    const rows = (name: string): number[][] =>
      [0, 1, 2, 3].map((lane) => [...run.read(name)].slice(4 * lane, 4 * lane + 4));
    const [ended, acting] = [rows("next_obs"), rows("obs")];
    expect(acting[0]).toEqual(ended[0]);
    expect(ended[1]?.[0]).toBeCloseTo(2.41, 5);
    expect(ended[2]?.[1]).toBeLessThan(-0.1);
    for (const [lane, first] of [
      [1, -0.025],
      [2, 0],
      [3, 0.025],
    ] as const) {
      for (const value of acting[lane] as number[]) expect(value).toBeCloseTo(first, 6);
    }
    for (const [i, name] of CartPole.variables.entries())
      expect([...run.read(`env.${name}`)]).toEqual(acting.map((row) => row[i]));
  });

  it("steps every lane as the host face steps one", () => {
    const run = prepareProgram(oneStep(MountainCar), { num_envs: 3 });
    const states = fc.tuple(
      fc.float({ min: -1, max: Math.fround(0.4), noNaN: true }),
      fc.float({ min: Math.fround(-0.05), max: Math.fround(0.05), noNaN: true }),
    );
    const lane = fc.record({ state: states, action: fc.nat(2) });
    const host = make("MountainCar-v0");
    fc.assert(
      fc.property(fc.tuple(lane, lane, lane), (all) => {
        run.write(
          "env.position",
          all.map((l) => l.state[0]),
        );
        run.write(
          "env.velocity",
          all.map((l) => l.state[1]),
        );
        run.write("env.elapsed", [0, 0, 0]);
        run.write(
          "action",
          all.map((l) => l.action),
        );
        run.run();
        const seen = run.read("next_obs");
        for (const [i, { state: from, action }] of all.entries()) {
          host.reset({ seed: 0 });
          host.setState(from);
          expect([...host.step(action).observation]).toEqual([seen[2 * i], seen[2 * i + 1]]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is carried through a scan, from a reset inside the program", () => {
    const T = 5;
    const program = trace("rollout", () => {
      const start = vectorReset(CartPole, draws(4), lanes);
      const action = state("action", [lanes], { dtype: "i32" }).read();
      const rolled = scan({ count: T, carry: flattenCarry(CartPole, start.carry) }, (carry) => {
        const next = vectorStep(CartPole, unflattenCarry(CartPole, carry), action, {
          step: [],
          reset: draws(4),
        });
        return { carry: flattenCarry(CartPole, next.carry), ys: [next.next_obs] };
      });
      put("first", start.obs);
      put("obs", rolled.ys[0] as Tensor);
      put("elapsed", rolled.carry[4] as Tensor);
    });
    const run = prepareProgram(program, { num_envs: 2 });
    run.write("action", [0, 1]);
    run.run();
    expect([...run.read("elapsed")]).toEqual([T, T]);
    const [first, obs] = [run.read("first"), run.read("obs")];
    for (const lane of [0, 1]) {
      const host = make("CartPole-v1");
      host.setState(first.slice(4 * lane, 4 * lane + 4));
      for (let t = 0; t < T; t++) {
        const at = (2 * t + lane) * 4;
        expect([...host.step(lane).observation]).toEqual([...obs.slice(at, at + 4)]);
      }
    }
  });

  it("refuses draws, states and carries that do not fit", () => {
    const inside = (body: () => void) => () => trace("wrong", body);
    expect(inside(() => CartPole.reset(draws(3), lanes))).toThrow(
      "CartPole-v1: reset: found 3 draws, allowed 4",
    );
    expect(inside(() => CartPole.observe({}))).toThrow(
      /CartPole-v1: state has no variable "x"; it needs x, x_dot/,
    );
    expect(inside(() => unflattenCarry(CartPole, draws(4)))).toThrow(
      "CartPole-v1: a carry is 5 tensors, found 4",
    );
  });
});
