/** Tasks with goals, against their rules in plain TypeScript. */
// @apart: it registers an environment.
import { describe, expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { add, mul } from "../../../../../src/kernels/index.ts";
import { requireGoalRewards } from "../../../../../src/rl/environments/compiled/goalCheck.ts";
import { BitFlip } from "../../../../../src/rl/environments/goals/BitFlip.ts";
import { MAZES } from "../../../../../src/rl/environments/goals/mazeMap.ts";
import { PointMaze } from "../../../../../src/rl/environments/goals/PointMaze.ts";
import {
  findCompiledEnvironment,
  type GoalFace,
  make,
  registerEnvironment,
} from "../../../../../src/rl/environments.ts";
import { Box, Dict } from "../../../../../src/rl/spaces.ts";
import { resetLanes, stepLanes } from "../stepLanes.ts";

const maze = (map_name: keyof typeof MAZES) => findCompiledEnvironment(PointMaze.id, { map_name });

/** The equations of the docs along one axis. @param half Half the maze's width. */
function slide(from: number, speed: number, force: number, half: number, isWall: (front: number) => boolean) {
  const pushed = speed + 0.1 * (4 * Math.max(-1, Math.min(1, force)) - 0.5 * speed);
  const v = Math.max(-2, Math.min(2, pushed));
  const ahead = v >= 0 ? 0.1 : -0.1;
  const front = from + 0.1 * v + ahead;
  if (!isWall(front)) return { at: from + 0.1 * v, v };
  const left = Math.floor(front + half) - half;
  return { at: (v >= 0 ? left : left + 1) - ahead, v: 0 };
}

function moved(rows: readonly string[], state: readonly number[], [fx, fy]: readonly [number, number]) {
  const [x, y, vx, vy, gx, gy] = state as [number, number, number, number, number, number];
  const [w, h] = [(rows[0] as string).length / 2, rows.length / 2];
  const wall = (a: number, b: number): boolean => rows[Math.floor(h - b)]?.[Math.floor(a + w)] === "#";
  const across = slide(x, vx, fx, w, (front) => wall(front, y - 0.09) || wall(front, y + 0.09));
  const side = across.at;
  const along = slide(y, vy, fy, h, (front) => wall(side - 0.09, front) || wall(side + 0.09, front));
  const won = Math.hypot(side - gx, along.at - gy) <= 0.45;
  return { state: [side, along.at, across.v, along.v, gx, gy], won };
}

describe("PointMaze", () => {
  it.each(["open", "umaze", "medium"] as const)(
    "moves by its equations and stays out of walls: %s",
    (name) => {
      const rows = MAZES[name];
      const env = maze(name);
      const random = new Random({ seed: 3 });
      const draws = Array.from({ length: 40 }, () => Array.from({ length: 6 }, () => random.uniform()));
      let states = resetLanes(env, draws).map(({ state }) => state);
      const cell = (...place: number[]): string =>
        place.map((at) => Math.floor(at + 50 + rows.length / 2)).join();
      for (const [x, y, , , gx, gy] of states as [number, number, number, number, number, number][])
        expect(cell(x, y)).not.toBe(cell(gx, gy));
      let [met, won] = [0, 0];
      for (let step = 0; step < 30; step++) {
        // One force for a while, so that walls are met.
        const forces = states.map((_, i): [number, number] => [
          Math.sin(i + step / 9) * 1.5,
          Math.cos(2 * i + step / 7) * 1.5,
        ]);
        const found = stepLanes(
          env,
          states.map((state, i) => ({ state, action: forces[i] as [number, number] })),
        );
        found.forEach((result, i) => {
          const expected = moved(rows, states[i] as number[], forces[i] as [number, number]);
          expected.state.forEach((value, k) => expect(result.state[k]).toBeCloseTo(value, 4));
          expect([result.terminated, result.reward]).toEqual([expected.won, Number(expected.won)]);
          const [x, y, , , gx, gy] = result.state;
          const shown = [x, y, result.state[2], result.state[3], x, y, gx, gy];
          expect(result.observation).toEqual(shown);
          met += Number(result.state[2] === 0 || result.state[3] === 0);
          won += Number(expected.won);
        });
        states = found.map(({ state }) => state);
      }
      expect(Math.min(met, won)).toBeGreaterThan(0);
    },
  );

  it("starts and asks for goals where its map says", () => {
    const map = ["#####", "#S.G#", "#.#.#", "#G..#", "#####"];
    const env = findCompiledEnvironment(PointMaze.id, { map });
    const random = new Random({ seed: 1 });
    const draws = Array.from({ length: 50 }, () => Array.from({ length: 6 }, () => random.uniform()));
    const goals = resetLanes(env, draws).map(({ state: [x, y, , , gx, gy] }) => {
      expect([Math.round(x as number), Math.round(y as number)]).toEqual([-1, 1]);
      return `${Math.round(gx as number)}, ${Math.round(gy as number)}`;
    });
    expect(new Set(goals)).toEqual(new Set(["1, 1", "-1, -1"]));
  });

  it.each([
    [["###", "#.#", "###"], /needs a cell to start from and another one for the goal/],
    [["####", "#..#", "#.##"], /the border must be walls, #/],
    [["####", "#..#", "###"], /rows have different lengths/],
    [["####", "#.x#", "####"], /allowed: # \(wall\), \. \(free\), S \(start\) and G \(goal\)/],
  ])("refuses the map %j", (map, message) => {
    expect(() => findCompiledEnvironment(PointMaze.id, { map })).toThrow(message);
  });
});

describe("BitFlip", () => {
  it("flips the bit that is chosen, and ends where all bits are those of the goal", () => {
    const env = make(BitFlip.id, { bits: 4 });
    const { observation } = env.reset({ seed: 2 });
    expect([...(observation as Float32Array)].every((bit) => bit === 0 || bit === 1)).toBe(true);
    env.setState([0, 1, 1, 0, 1, 1, 1, 1]);
    expect(env.step(3)).toMatchObject({
      reward: -1,
      terminated: false,
      observation: Float32Array.of(0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1),
    });
    expect(env.step(0)).toMatchObject({ reward: 0, terminated: true });
  });
});

describe("goals", () => {
  it("give the rewards and ends of the steps", () => {
    for (const env of [BitFlip, maze("open")]) expect(() => requireGoalRewards(env)).not.toThrow();
  });

  it("that do not are said with the first step", () => {
    const [own, bits] = [PointMaze.goal, BitFlip.goal];
    if (!own || !bits) throw new Error("they have no goals");
    const compute_reward: GoalFace["compute_reward"] = (a, b) => add(mul(own.compute_reward(a, b), 2), 1);
    expect(() => requireGoalRewards({ ...PointMaze, goal: { ...own, compute_reward } })).toThrow(
      /rlkit\/PointMaze-v0: goal\.compute_reward: found 1 for step 1 of lane 0, allowed 0, as step gave; achieved_goal \[/,
    );
    const compute_terminated: GoalFace["is_success"] = (a) => bits.is_success(a, a);
    expect(() => requireGoalRewards({ ...BitFlip, goal: { ...bits, compute_terminated } })).toThrow(
      "goal.compute_terminated: found 1 for step 1 of lane 0, allowed 0",
    );
  });

  it("of different shapes, and none at all, are refused where an environment is registered", () => {
    const box = (size: number) => new Box({ low: 0, high: 1, shape: [size] });
    const observation_space = new Dict({ observation: box(4), achieved_goal: box(2), desired_goal: box(3) });
    const register = (space: Dict | Box) => () =>
      registerEnvironment({ ...PointMaze, id: "mine/Maze-v0", observation_space: space });
    expect(register(observation_space)).toThrow(
      "mine/Maze-v0: observation_space.desired_goal: found Box [3], allowed Box [2]",
    );
    expect(register(box(4))).toThrow(
      "an environment with goals needs a Dict of observation, achieved_goal, desired_goal",
    );
  });

  it("are not stacked", () => {
    expect(() => make(BitFlip.id, { "rlkit/frame_stack": 2 })).toThrow(
      "frame_stack: found 2, allowed 1: goals are not stacked",
    );
  });
});
