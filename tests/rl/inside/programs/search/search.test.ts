/** Tree search in kernels against the same search in plain JavaScript, and its choices where the best move is known. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../../src/kernels/devices.ts";
import type { Tensor } from "../../../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../../../src/kernels/wgsl/device.ts";
import type { GameState } from "../../../../../src/rl/environments/games/GameRules.ts";
import { ticTacToe } from "../../../../../src/rl/environments/games/ticTacToe/rules.ts";
import { TicTacToe } from "../../../../../src/rl/environments/games/ticTacToe/TicTacToe.ts";
import { gumbel } from "../../../../../src/rl/programs/search/gumbel.ts";
import { puct } from "../../../../../src/rl/programs/search/puct.ts";
import type { SearchRule } from "../../../../../src/rl/programs/search/SearchRule.ts";
import { softwareAdapter } from "../../../../kernels/support/softwareAdapter.ts";
import { plainGumbel, plainPuct, plainSearch } from "./plainSearch.ts";
import { type Found, judgeOf, positions, searched, searchingProgram, weightsOf } from "./searched.ts";

const LANES = 24;
const ACTIONS = ticTacToe.action_space.n;
const states = positions(ticTacToe, LANES);
const weights = weightsOf(ticTacToe, 0.7);
const judge = judgeOf(ticTacToe, weights);
const random = new Random({ seed: 11, stream: "noise" });
const share = (values: readonly number[], state: GameState) => {
  const legal = ticTacToe.legal(state);
  const total = legal.reduce((all, a) => all + (values[a] as number), 0);
  return values.map((x, a) => (legal.includes(a) ? Math.fround(x / total) : 0));
};
const draws = states.map(() => Array.from({ length: ACTIONS }, () => random.uniform()));

const find = (rule: (noise: Tensor) => SearchRule, simulations: number, from = states, noise = draws) =>
  searched(new WasmDevice(), TicTacToe, searchingProgram(TicTacToe, simulations, rule), from, {
    weights,
    noise: noise.flat(),
  });

function expectEqual(found: Found, expected: { visits: readonly number[]; value: number }, lane: number) {
  expect({ lane, visits: found.visits }).toEqual({ lane, visits: [...expected.visits] });
  expect(Math.abs(found.value - expected.value)).toBeLessThan(1e-5);
}

describe("the program's search and the plain one visit the same actions", () => {
  it.each([1, 2, 17, 60])("by upper confidence bounds, %i simulations", async (simulations) => {
    const noise = states.map((state, lane) => share(draws[lane] ?? [], state));
    const rule = (distribution: Tensor) => puct({ c_init: 1.5, noise: { distribution, fraction: 0.25 } });
    const found = await find(rule, simulations, states, noise);
    for (const [lane, state] of states.entries()) {
      const expected = plainSearch(ticTacToe, judge, state, {
        simulations,
        select: plainPuct(1.5),
        noised: (policy) => policy.map((p, a) => 0.75 * p + 0.25 * (noise[lane]?.[a] ?? 0)),
      });
      expectEqual(found[lane] as Found, expected, lane);
      const most = Math.max(...expected.visits);
      expect(found[lane]?.action).toBe(expected.visits.indexOf(most));
      expect(found[lane]?.policy[0]).toBeCloseTo((expected.visits[0] ?? 0) / simulations, 6);
    }
  });

  it.each([
    [1, 16],
    [8, 4],
    [32, 3],
    [50, 16],
  ])("by sequential halving, %i simulations, %i actions", async (simulations, max_considered) => {
    const noise = draws.map((row) => row.map((u) => Math.fround(-Math.log(-Math.log(u + 1e-9)))));
    const settings = { simulations, max_considered, c_scale: 0.3 };
    const found = await find((tensor) => gumbel({ ...settings, noise: tensor }), simulations, states, noise);
    for (const [lane, state] of states.entries()) {
      const plain = plainGumbel({ ...settings, noise: noise[lane] ?? [] });
      const expected = plainSearch(ticTacToe, judge, state, { simulations, select: plain.select });
      expectEqual(found[lane] as Found, expected, lane);
      expect(found[lane]?.action).toBe(plain.action(expected.root));
      for (const [a, p] of plain.policy(expected.root).entries())
        expect(found[lane]?.policy[a]).toBeCloseTo(p, 4);
    }
  });
});

/** Cells row by row: x the first player's stone, o the second's. */
function positionOf(cells: string): GameState {
  const board = Array.from(cells, (c) => (c === "x" ? 1 : c === "o" ? -1 : 0));
  const moves = board.filter((stone) => stone !== 0).length;
  return [...board, 0, moves % 2];
}

describe.each([
  ["puct", () => puct()],
  ["gumbel", () => gumbel({ simulations: 128 })],
])("%s with an evaluator that knows nothing", (_name, rule) => {
  const ask = async (cells: readonly string[]) =>
    searched(new WasmDevice(), TicTacToe, searchingProgram(TicTacToe, 128, rule), cells.map(positionOf), {
      weights: weights.map(() => 0),
    });

  it("wins where one move wins, and stops the opponent's win", async () => {
    const tasks = [
      ["xx.oo....", 2],
      ["xx.oo.x..", 5],
      ["x...x.oo.", 8],
      ["xx..o....", 2],
      [".o..o.x.x", 7],
    ] as const;
    const found = await ask(tasks.map(([cells]) => cells));
    expect(found.map(({ action }) => action)).toEqual(tasks.map(([, action]) => action));
  });

  it("takes legal actions only", async () => {
    const [found] = await ask(["xoxo.xoxo"]);
    expect(found?.visits).toEqual([0, 0, 0, 0, 128, 0, 0, 0, 0]);
    expect(found?.policy).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
  });

  it("says nothing of games that have ended", async () => {
    const program = searchingProgram(TicTacToe, 8, rule);
    const ended = [1, 1, 1, -1, -1, 0, 0, 0, 0, 1, 1];
    const full = [1, -1, 1, 1, -1, -1, -1, 1, 1, 0, 1];
    const [won, drawn, running] = await searched(
      new WasmDevice(),
      TicTacToe,
      program,
      [ended, full, positionOf("xx.oo....")],
      { weights, playing: [0, 0, 1] },
    );
    const nothing = Array.from({ length: ACTIONS }, () => 0);
    for (const found of [won, drawn])
      expect(found).toEqual({ visits: nothing, policy: nothing, value: 0, action: 0 });
    expect(running?.visits.reduce((a, b) => a + b, 0)).toBe(8);
  });
});

describe("on WebGPU", () => {
  it.each([
    ["puct", () => puct()],
    ["gumbel", () => gumbel({ simulations: 6, max_considered: 4 })],
  ])("%s visits the same actions as on wasm", async (_name, rule) => {
    const program = searchingProgram(TicTacToe, 6, rule);
    const few = states.slice(0, 4);
    const wasm = await searched(new WasmDevice(), TicTacToe, program, few, { weights });
    const gpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
    const found = await searched(gpu, TicTacToe, program, few, { weights });
    gpu.close();
    for (const [lane, expected] of wasm.entries()) {
      expectEqual(found[lane] as Found, expected, lane);
      expect(found[lane]?.action).toBe(expected.action);
    }
  });
});
