/** Tree search in kernels against the same search in plain JavaScript, and its choices where the best move is known. */
import { describe, expect, it } from "vitest";
import { structureOf } from "../../../../../src/agents/members.ts";
import { Random } from "../../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../../src/kernels/devices.ts";
import type { Tensor } from "../../../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../../../src/kernels/wgsl/device.ts";
import type { GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { ConnectFour } from "../../../../../src/rl/environments/games/connectFour/ConnectFour.ts";
import { connectFour } from "../../../../../src/rl/environments/games/connectFour/rules.ts";
import { TicTacToe, ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { agentEvaluator } from "../../../../../src/rl/programs/search/agentEvaluator.ts";
import { gumbel } from "../../../../../src/rl/programs/search/gumbel.ts";
import {
  hostGumbel,
  hostPuct,
  improvedLogits,
  legalSoftmax,
} from "../../../../../src/rl/programs/search/hostRules.ts";
import { puct } from "../../../../../src/rl/programs/search/puct.ts";
import type { SearchRule } from "../../../../../src/rl/programs/search/SearchRule.ts";
import { comparedShaders } from "../../../../kernels/support/comparedShaders.ts";
import { softwareAdapter } from "../../../../kernels/support/softwareAdapter.ts";
import { agentOf } from "../../../support/agents.ts";
import { plainSearch } from "./plainSearch.ts";
import { type Found, judgeOf, positions, searched, searchingProgram, weightsOf } from "./searched.ts";

const LANES = 24;
const states = positions(ticTacToe, LANES);
const weights = weightsOf(ticTacToe, 0.7);

function expectEqual(found: Found, expected: { visits: readonly number[]; value: number }, lane: number) {
  expect({ lane, visits: found.visits }).toEqual({ lane, visits: [...expected.visits] });
  expect(Math.abs(found.value - expected.value)).toBeLessThan(1e-5);
}

describe.each([
  ["TicTacToe", TicTacToe, ticTacToe, 0.7],
  ["Connect Four", ConnectFour, connectFour, 0.2],
])("the program's search and the plain one visit the same actions of %s", (_game, env, rules, scale) => {
  const ofGame = positions(rules, LANES);
  const layer = weightsOf(rules, scale);
  const judge = judgeOf(rules, layer);
  const random = new Random({ seed: 11, stream: "noise" });
  const draws = ofGame.map(() => Array.from({ length: rules.action_space.n }, () => random.uniform()));
  const find = (
    rule: (noise: Tensor) => SearchRule,
    simulations: number,
    noise: readonly (readonly number[])[],
  ) =>
    searched(new WasmDevice(), env, searchingProgram(env, simulations, rule), ofGame, {
      weights: layer,
      noise: noise.flat(),
    });

  it.each([1, 2, 60])("by upper confidence bounds, %i simulations", async (simulations) => {
    const noise = ofGame.map((state, lane) => {
      const legal = rules.legal(state);
      const drawn = draws[lane] ?? [];
      const total = legal.reduce((all, a) => all + (drawn[a] as number), 0);
      return drawn.map((x, a) => (legal.includes(a) ? Math.fround(x / total) : 0));
    });
    const rule = (distribution: Tensor) => puct({ c_init: 1.5, noise: { distribution, fraction: 0.25 } });
    const found = await find(rule, simulations, noise);
    for (const [lane, state] of ofGame.entries()) {
      const expected = plainSearch(rules, judge, state, {
        simulations,
        rule: hostPuct({ c_init: 1.5 }),
        noised: (policy) => policy.map((p, a) => 0.75 * p + 0.25 * (noise[lane]?.[a] ?? 0)),
      });
      expectEqual(found[lane] as Found, expected, lane);
      expect(found[lane]?.action).toBe(expected.action);
      for (const [a, visits] of expected.visits.entries())
        expect(found[lane]?.policy[a]).toBeCloseTo(visits / simulations, 6);
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
    const found = await find((tensor) => gumbel({ ...settings, noise: tensor }), simulations, noise);
    for (const [lane, state] of ofGame.entries()) {
      const rule = hostGumbel({ ...settings, noise: noise[lane] ?? [] });
      const expected = plainSearch(rules, judge, state, { simulations, rule });
      expectEqual(found[lane] as Found, expected, lane);
      expect(found[lane]?.action).toBe(expected.action);
      const { root } = expected;
      for (const [a, p] of legalSoftmax(improvedLogits(root, settings), root.legal).entries())
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
    const nothing = Array.from({ length: 9 }, () => 0);
    for (const found of [won, drawn])
      expect(found).toEqual({ visits: nothing, policy: nothing, value: 0, action: 0 });
    expect(running?.visits.reduce((a, b) => a + b, 0)).toBe(8);
  });
});

describe("on WebGPU", () => {
  const assertOnce = comparedShaders(import.meta.url);

  it.each([
    ["puct", () => puct()],
    ["gumbel", () => gumbel({ simulations: 6, max_considered: 4 })],
  ])("%s visits the same actions as on wasm", (name, rule) => {
    const program = searchingProgram(TicTacToe, 6, rule);
    return assertOnce(name, [program], async () => {
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
});

describe("what a search refuses", () => {
  it("moves of chance", () => {
    const chancy = { ...TicTacToe, stepDraws: 1 };
    expect(() => searchingProgram(chancy, 2, () => puct())).toThrow(/rlkit\/TicTacToe: has chance/);
  });

  it("evaluators without a policy and a value", () => {
    const es = agentOf({ name: "ES" });
    expect(() => agentEvaluator(structureOf(es), TicTacToe)).toThrow(/ES: found no value/);
  });
});
