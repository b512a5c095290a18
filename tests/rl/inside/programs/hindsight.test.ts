import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeviceReplay } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import {
  abs,
  cast,
  column,
  equal,
  lessEqual,
  mul,
  state,
  sub,
  trace,
} from "../../../../src/kernels/index.ts";
import { uniforms } from "../../../../src/rl/contract/inputs.ts";
import { drawGoals } from "../../../../src/rl/programs/hindsight.ts";
import type { HindsightKind } from "../../../../src/rl/programs/replayFields.ts";
import { takeTransitions } from "../../../../src/rl/programs/transitions.ts";
import { Box, Dict, Discrete } from "../../../../src/rl/spaces.ts";

const number = new Box({ low: -1e9, high: 1e9 });
const layout = {
  observation_space: new Dict({ desired_goal: number, observation: number, achieved_goal: number }),
  action_space: new Discrete(2),
  goal: {
    compute_reward: (achieved, desired) => mul(abs(sub(column(achieved, 0), column(desired, 0))), -1),
    compute_terminated: (achieved, desired) => equal(column(achieved, 0), column(desired, 0)),
    is_success: (achieved, desired) => lessEqual(column(achieved, 0), column(desired, 0)),
  },
} satisfies Parameters<typeof takeTransitions>[0];
const device = new WasmDevice();

interface Case {
  /** 1 for rows that end their lane's episode, by place in the ring. */
  readonly ends: readonly number[];
  readonly lanes: number;
  readonly n_step: number;
  readonly her: HindsightKind;
  /** Place of the oldest row in the ring, and the number of rows that are seen. */
  readonly start: number;
  readonly held: number;
  /** How often each row is drawn. */
  readonly times: number;
}

const GAMMA = 0.5;
/** The goal that all rows desire, which none achieves; a row achieves its place. */
const DESIRED = -1;
const STORED = { reward: 7, done: 0 };

/** The transitions of a draw, and its random numbers. */
function drawn({ ends, lanes, n_step, her, start, held, times }: Case) {
  const [size, batch] = [ends.length, held * times];
  const kind = { n_step, prioritized: false, her };
  const program = trace("relabel", () => {
    const integers = (name: string) => state(name, [batch], { dtype: "i32" }).read();
    const step = state("step", [], { dtype: "i32" }).read();
    const rows = { index: integers("index"), owner: integers("owner"), following: integers("following") };
    const goal = drawGoals(step, rows, her);
    const { obs, next_obs, reward, done, discount } = takeTransitions(layout, { ...rows, goal }, kind);
    const [chance, place] = uniforms("goal", step, batch, 2);
    const out = { obs, next_obs, reward, done, discount, chance, place, goal: cast(goal, "f32") };
    for (const [name, x] of Object.entries(out)) if (x) state(`out.${name}`, x.shape).write(x);
  });
  const replay = new DeviceReplay(device, layout, 1, size, kind);
  const sizes = { num_envs: lanes, capacity: size, population: 1 };
  const arena = device.arena(program.states.values(), sizes, replay.arena);
  const bound = device.compile(program).bind(arena);
  replay.arena.write("replay.ended", ends);
  replay.arena.write("replay.reward", new Float32Array(size).fill(STORED.reward));
  replay.arena.write("replay.done", new Float32Array(size));
  // The observation before a step is told from the one after it by half a place.
  for (const [name, shift] of [
    ["obs", -0.5],
    ["next_obs", 0],
  ] as const)
    replay.arena.write(
      `replay.${name}`,
      ends.flatMap((_end, i) => [DESIRED, i, i + shift]),
    );
  const order = Array.from({ length: batch }, (_, i) => (start + (i % held)) % size);
  const inputs = {
    index: order,
    owner: new Int32Array(batch),
    following: order.map((_place, i) => held - 1 - (i % held)),
    step: [3],
    "hp.gamma": [GAMMA],
    "ring.segment": [size],
    "ring.count": [held],
    "ring.position": [(start + held) % size],
    "key.0": [12],
    "key.1": [34],
  };
  for (const [name, values] of Object.entries(inputs)) if (arena.has(name)) arena.write(name, values);
  bound.run();
  const out = (name: string) => [...arena.read(`out.${name}`)];
  const found = Object.fromEntries(
    ["obs", "next_obs", "reward", "done", "discount", "chance", "place", "goal"].map((name) => [
      name,
      out(name),
    ]),
  );
  for (const thing of [bound, arena, replay]) thing.release();
  return { at: (name: string, i: number) => found[name]?.[i] as number, order };
}

/** Rows of a row's episode that are seen, oldest first, counted from the oldest row of all. */
function episode({ ends, lanes, start, held }: Case, row: number): number[] {
  const isEnd = (one: number): boolean => ends[(start + one) % ends.length] === 1;
  const rows = [row];
  for (let one = row - lanes; one >= 0 && !isEnd(one); one -= lanes) rows.unshift(one);
  for (let one = row; !isEnd(one) && one + lanes < held; one += lanes) rows.push(one + lanes);
  return rows;
}

const cases = fc
  .record({
    lanes: fc.integer({ min: 1, max: 3 }),
    steps: fc.integer({ min: 1, max: 8 }),
    n_step: fc.integer({ min: 1, max: 3 }),
    start: fc.nat(100),
    held: fc.nat(100),
    spare: fc.nat(2),
    strategy: fc.constantFrom("future" as const, "final" as const, "episode" as const),
    n_sampled_goal: fc.integer({ min: 1, max: 4 }),
    ends: fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 26, maxLength: 26 }),
  })
  .map(({ lanes, steps, n_step, start, held, spare, strategy, n_sampled_goal, ends }): Case => {
    const size = lanes * steps + spare;
    const her = { goal_selection_strategy: strategy, n_sampled_goal };
    return {
      ends: ends.slice(0, size),
      lanes,
      n_step,
      her,
      start: start % size,
      held: 1 + (held % size),
      times: 4,
    };
  });

describe("hindsight experience replay", () => {
  it("equals a plain restatement with the same random numbers, around the ring", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { at, order } = drawn(given);
        const { lanes, n_step, her, start, ends, held } = given;
        const placeOf = (row: number) => (start + row) % ends.length;
        order.forEach((place, i) => {
          const row = i % held;
          const rows = episode(given, row);
          const own = rows.indexOf(row);
          const range = {
            future: [own, rows.length - 1],
            final: [rows.length - 1, rows.length - 1],
            episode: [0, rows.length - 1],
          };
          const [first, last] = range[her.goal_selection_strategy] as [number, number];
          const chosen = placeOf(rows[first + Math.floor(at("place", i) * (last - first + 1))] as number);
          const isNew = at("chance", i) < Math.fround(her.n_sampled_goal / (her.n_sampled_goal + 1));
          expect(at("goal", i)).toBe(isNew ? chosen : -1);
          const desired = isNew ? chosen : DESIRED;
          let [reward, discount, done, now] = [0, 1, 0, row];
          for (let k = 0; ; k++) {
            now = row + k * lanes;
            const achieved = placeOf(now);
            reward += discount * (isNew ? -Math.abs(achieved - desired) : STORED.reward);
            done = isNew ? Number(achieved === desired) : STORED.done;
            discount *= GAMMA;
            if (k === n_step - 1 || done === 1 || !rows.includes(now + lanes)) break;
          }
          expect([at("reward", i) + 0, at("done", i), at("discount", i)]).toEqual([reward, done, discount]);
          expect([0, 1, 2].map((k) => at("obs", 3 * i + k))).toEqual([desired, place, place - 0.5]);
          const next = placeOf(now);
          expect([0, 1, 2].map((k) => at("next_obs", 3 * i + k))).toEqual([desired, next, next]);
        });
      }),
      { numRuns: 60 },
    );
  });

  it("replaces as many goals as asked, and reaches every later row of an episode", () => {
    const [held, times] = [8, 1000];
    const her = { goal_selection_strategy: "future", n_sampled_goal: 3 } as const;
    const given = { ends: [0, 0, 0, 0, 0, 0, 0, 1], lanes: 1, n_step: 1, her, start: 0, held, times };
    const { at, order } = drawn(given);
    const goals = order.map((_place, i) => at("goal", i));
    const share = goals.filter((goal) => goal >= 0).length / goals.length;
    // Four standard deviations of the mean of so many draws.
    expect(Math.abs(share - 3 / 4)).toBeLessThan(4 * Math.sqrt((0.75 * 0.25) / goals.length));
    expect(new Set(goals.filter((goal, i) => goal >= 0 && order[i] === 5))).toEqual(new Set([5, 6, 7]));
  });

  it("refuses observations without goals, and goals of different shapes", () => {
    const her = { goal_selection_strategy: "final", n_sampled_goal: 1 } as const;
    const traced = (observation_space: Dict) => () =>
      trace("relabel", () => {
        const rows = ["index", "owner", "following", "goal"].map((name) =>
          state(name, [2], { dtype: "i32" }).read(),
        );
        const [index, owner, following, goal] = rows as [
          (typeof rows)[0] & {},
          (typeof rows)[0] & {},
          (typeof rows)[0] & {},
          (typeof rows)[0] & {},
        ];
        takeTransitions(
          { ...layout, observation_space },
          { index, owner, following, goal },
          { n_step: 1, prioritized: false, her },
        );
      });
    expect(traced(new Dict({ observation: number }))).toThrow(
      /replay_buffer\.her: observation_space: found .*; an environment with goals needs a Dict of observation, achieved_goal, desired_goal/,
    );
    const wide = new Dict({
      observation: number,
      achieved_goal: number,
      desired_goal: new Box({ low: 0, high: 1, shape: [2] }),
    });
    expect(traced(wide)).toThrow("desired_goal: found Box [2], allowed Box [1], as achieved_goal");
  });
});
