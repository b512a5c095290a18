/** The grid worlds, state by state, against tables derived from their published rules. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findCompiledEnvironment, make } from "../../../../src/rl/environments.ts";
import { resetLanes, stepLanes } from "../../inside/environments/stepLanes.ts";
import { cliffWalking, frozenLake, type TableEntry, taxi } from "./publishedTables.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Steps from every state with every action, once per draw, in the form of table entries. */
function found(
  id: string,
  states: readonly (readonly number[])[],
  actions: number,
  draws: readonly number[],
): Record<string, TableEntry> {
  const cases = states.flatMap((state) =>
    range(actions).flatMap((action) => draws.map((draw) => ({ state, action, draws: [draw] }))),
  );
  const results = stepLanes(findCompiledEnvironment(id), cases);
  return Object.fromEntries(
    cases.map(({ state, action, draws }, i) => {
      const { observation, state: next, reward, terminated } = results[i] as (typeof results)[number];
      const key = `${state} by ${action}, ${draws}`;
      return [key, { next, observation: observation[0] as number, reward, terminated }];
    }),
  );
}

const product = (...sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>((rows, size) => rows.flatMap((row) => range(size).map((i) => [...row, i])), [[]]);

/** The middle of each third of [0, 1). */
const THIRDS = [1 / 6, 3 / 6, 5 / 6];

describe.each([
  ["FrozenLake-v1", 4],
  ["FrozenLake8x8-v1", 8],
])("%s", (id, size) => {
  it("moves, earns and ends by its table, whichever way it slips", () => {
    const states = product(size, size);
    const table = Object.fromEntries(
      states.flatMap((state) =>
        range(4).flatMap((action) =>
          THIRDS.map((draw, side) => [
            `${state} by ${action}, ${draw}`,
            frozenLake(size, state as [number, number], action, side - 1),
          ]),
        ),
      ),
    );
    expect(found(id, states, 4, THIRDS)).toEqual(table);
  });

  it("goes each of three ways for a third of the draws, the last draw below 1 included", () => {
    const draws = [...range(300).map((i) => i / 300), 1 - 2 ** -24];
    const ends = stepLanes(
      findCompiledEnvironment(id),
      draws.map((draw) => ({ state: [0, 0], action: 1, draws: [draw] })),
    ).map(({ state }) => state.join());
    const count = (end: string): number => ends.filter((found) => found === end).length;
    // From the corner, left stays in place; down and right move.
    expect([count("0,0"), count("1,0"), count("0,1")]).toEqual([100, 100, 101]);
  });

  it("starts in the corner", () => {
    const env = make(id);
    expect([...env.reset({ seed: 3 }).observation]).toEqual([0]);
    expect([...env.getState()]).toEqual([0, 0]);
  });
});

describe("CliffWalking-v1", () => {
  it("moves, earns and ends by its table", () => {
    const states = product(4, 12);
    const table = Object.fromEntries(
      states.flatMap((state) =>
        range(4).map((action) => [
          `${state} by ${action}, 0`,
          cliffWalking(state as [number, number], action),
        ]),
      ),
    );
    expect(found("CliffWalking-v1", states, 4, [0])).toEqual(table);
  });

  it("takes 13 steps by the shortest way, and pays for a fall without an end", () => {
    const env = make("CliffWalking-v1");
    expect([...env.reset({ seed: 1 }).observation]).toEqual([36]);
    expect(env.step(1)).toMatchObject({ reward: -100, terminated: false });
    let sum = 0;
    for (const action of [0, ...range(11).map(() => 1), 2]) sum += env.step(action).reward;
    expect(sum).toBe(-13);
    expect(() => env.step(0)).toThrow(/the episode has ended \(terminated\)/);
  });
});

describe("CliffWalkingSlippery-v1", () => {
  it("moves, earns and ends by its table, whichever way it slips", () => {
    const states = product(4, 12);
    const table = Object.fromEntries(
      states.flatMap((state) =>
        range(4).flatMap((action) =>
          THIRDS.map((draw, side) => [
            `${state} by ${action}, ${draw}`,
            cliffWalking(state as [number, number], (action + side + 3) % 4),
          ]),
        ),
      ),
    );
    expect(found("CliffWalkingSlippery-v1", states, 4, THIRDS)).toEqual(table);
  });

  it("is CliffWalking-v1 with is_slippery, and that without", () => {
    const limits = ["CliffWalking-v1", "CliffWalkingSlippery-v1"].map((id) => make(id).spec);
    expect(limits[1]).toEqual({ ...limits[0], id: "CliffWalkingSlippery-v1" });
    const env = make("CliffWalkingSlippery-v1", { is_slippery: false });
    env.reset({ seed: 1 });
    const walk = [0, ...range(11).map(() => 1), 2].map((action) => env.step(action));
    expect(walk.at(-1)).toMatchObject({ reward: -1, terminated: true });
  });
});

describe("tables of Gymnasium 1.3.0", () => {
  // SHA-256 of one line per state and action: "state action: probability next reward terminated; ...".
  it.each([
    ["Taxi-v4", [5, 5, 5, 4], 6, [0], "a83c14433563c524c75cb270f7c1e394c241ea0eb35ad988f7d7cb3c9659c001"],
    ["CliffWalking-v1", [4, 12], 4, [0], "48d258b7ce4f540d63b6a5e340aece6b2a1c5638a1f28bf04689c3afbf0eb422"],
    [
      "CliffWalkingSlippery-v1",
      [4, 12],
      4,
      THIRDS,
      "778c306c386e613b03892039934303df80e24855eb5f905c25e9124a3f373179",
    ],
  ])("%s", (id, sizes, actions, draws, digest) => {
    const states = product(...sizes);
    const entries = Object.values(found(id, states, actions, draws));
    const lines = range(states.length * actions).map((pair) => {
      const ways = entries.slice(pair * draws.length, (pair + 1) * draws.length);
      const texts = ways.map(
        ({ observation, reward, terminated }) =>
          `1/${draws.length} ${observation} ${reward} ${Number(terminated)}`,
      );
      return `${Math.floor(pair / actions)} ${pair % actions}: ${texts.join("; ")}`;
    });
    expect(createHash("sha256").update(lines.join("\n")).digest("hex")).toBe(digest);
  });
});

describe.each(["Taxi-v3", "Taxi-v4"])("%s", (id) => {
  it("moves, earns and ends by its table from all 500 states", () => {
    const states = product(5, 5, 5, 4);
    const table = Object.fromEntries(
      states.flatMap((state) =>
        range(6).map((action) => [
          `${state} by ${action}, 0`,
          taxi(state as [number, number, number, number], action),
        ]),
      ),
    );
    expect(Object.keys(table)).toHaveLength(3000);
    expect(found(id, states, 6, [0])).toEqual(table);
  });

  it("starts in each of the 300 states whose passenger waits elsewhere than it wants to go, equally likely", () => {
    const draws = product(5, 5, 4, 3).map((place) =>
      place.map((i, axis) => (i + 0.5) / ([5, 5, 4, 3][axis] as number)),
    );
    const starts = resetLanes(findCompiledEnvironment(id), draws);
    expect(new Set(starts.map(({ observation }) => observation[0])).size).toBe(300);
    for (const { state, observation } of starts) {
      const [row, col, passenger, destination] = state as [number, number, number, number];
      expect(passenger).toBeLessThan(4);
      expect(destination).not.toBe(passenger);
      expect(observation).toEqual([((row * 5 + col) * 5 + passenger) * 4 + destination]);
    }
  });

  it("forbids what changes nothing, if asked to", () => {
    const env = make(id, { action_mask: true });
    const masks = product(5, 5, 5, 4).map((state) => {
      const changes = range(6).map((action) => taxi(state as [number, number, number, number], action).next);
      const legal = changes.map((next) => Number(next.join() !== state.join()));
      env.setState(state);
      // A forbidden action leads to the same state.
      const { info } = env.step(legal.indexOf(0));
      expect(info.action_mask).toEqual(Int8Array.from(legal));
      return legal.join("");
    });
    // SHA-256 of a line per state, from Gymnasium 1.3.0.
    const digest = createHash("sha256").update(masks.join("\n")).digest("hex");
    expect(digest).toBe("8c146628f290f6192ffb4df8d5b5c08abda972567875770fa5289fe76c30076a");
    expect(make(id).reset({ seed: 1 }).info).toEqual({});
  });

  it("brings a passenger from red to green", () => {
    const env = make(id);
    env.reset({ seed: 0 });
    env.setState([1, 0, 0, 1]);
    const ride = [1, 4, 0, 0, 2, 2, 2, 2, 1, 1, 5].map((action) => env.step(action));
    expect(ride.map(({ reward }) => reward)).toEqual([...range(10).map(() => -1), 20]);
    expect(ride.map(({ terminated }) => terminated)).toEqual([...range(10).map(() => false), true]);
  });
});
