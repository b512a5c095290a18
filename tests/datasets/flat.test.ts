/** Flat data sets: files of the Python relative, and arrays in memory. */
import { describe, expect, it } from "vitest";
import { type DatasetArrays, datasetOf, openDataset } from "../../src/datasets/index.ts";
import { Box, Discrete } from "../../src/rl/spaces/index.ts";
import { hdf5Bytes, table } from "./support/hdf5Files.ts";

const layout = {
  observation_space: new Box({ low: -9, high: 99, shape: [2] }),
  action_space: new Discrete(3, { start: 1 }),
};

/** Two episodes of three steps: one ends its task, one goes on. */
const ARRAYS = {
  observations: [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ],
  actions: [1, 2, 3, 1, 2, 3],
  rewards: [1, 1, 1, 2, 2, 2],
  terminals: [false, false, true, false, false, false],
} satisfies DatasetArrays;

const nextOf = async (arrays: DatasetArrays) => {
  const { rows, count, notices } = await datasetOf(arrays).transitions(layout);
  const pairs = Array.from({ length: count }, (_, i) => [
    rows.obs[2 * i],
    rows.next_obs[2 * i],
    rows.done[i],
  ]);
  return { pairs, notices };
};

describe("flat data sets", () => {
  it("take the next row as successor, not across an end; the last row has none", async () => {
    const { pairs, notices } = await nextOf(ARRAYS);
    expect(pairs).toEqual([
      [0, 1, 0],
      [1, 2, 0],
      [2, 3, 1],
      [3, 4, 0],
      [4, 5, 0],
    ]);
    expect(notices.join()).toContain("1 of 6 rows are left out");
  });

  it.each(["timeouts", "truncations"])("leave out the rows that %s cut", async (name) => {
    const { pairs, notices } = await nextOf({ ...ARRAYS, [name]: [0, 0, 0, 1, 0, 0] });
    expect(pairs.map(([obs]) => obs)).toEqual([0, 1, 2, 4]);
    expect(notices.join()).toContain("2 of 6 rows are left out");
  });

  it("take next_observations where they are, for every row", async () => {
    const next_observations = ARRAYS.observations.map(([x = 0]) => [x + 50, x]);
    const { pairs, notices } = await nextOf({ ...ARRAYS, next_observations, timeouts: [0, 0, 0, 1, 0, 0] });
    expect(pairs).toEqual([
      [0, 50, 0],
      [1, 51, 0],
      [2, 52, 1],
      [3, 53, 0],
      [4, 54, 0],
      [5, 55, 0],
    ]);
    expect(notices).toEqual([]);
  });

  it("are the same from a file, typed arrays and lists", async () => {
    const typed = {
      observations: Float32Array.from(ARRAYS.observations.flat()),
      actions: BigInt64Array.from(ARRAYS.actions, BigInt),
      rewards: Float64Array.from(ARRAYS.rewards),
      terminals: Uint8Array.from(ARRAYS.terminals, Number),
    };
    const file = await openDataset(
      await hdf5Bytes((root) => {
        table(root, "observations", { data: typed.observations, shape: [6, 2] });
        table(root, "actions", { data: typed.actions, shape: [6, 1] });
        table(root, "rewards", { data: typed.rewards, shape: [6] });
        table(root, "terminals", { data: typed.terminals, shape: [6] });
      }),
    );
    const { rows } = await datasetOf(ARRAYS).transitions(layout);
    expect((await file.transitions(layout)).rows).toEqual(rows);
    expect((await datasetOf(typed).transitions(layout)).rows).toEqual(rows);
    expect(file.episodes()).toEqual([
      { id: 0, steps: 3, return: 3, end: "terminated" },
      { id: 1, steps: 3, return: 6, end: "open" },
    ]);
    file.close();
  });

  it.each<[string, object, string]>([
    ["a missing table", { rewards: undefined }, "rewards is missing; found observations, actions, terminals"],
    ["lengths that differ", { actions: [1, 2] }, "actions: found 2 rows, allowed 6"],
    [
      "rows that differ",
      { observations: [[0, 0], [1]] },
      "observations: found 1 numbers in row 1 and 2 in row 0",
    ],
    [
      "another width",
      { observations: [[0], [1], [2], [3], [4], [5]] },
      "observations: found rows of shape [1]",
    ],
    ["no table", { rewards: 7 }, "rewards: found 7, allowed an array"],
    ["text", { rewards: ["a", "b", "c", "d", "e", "f"] }, 'rewards: found "a" in row 0, allowed numbers'],
    ["an infinite number", { rewards: [1, 1, -Infinity, 1, 1, 1] }, "rewards, row 2: found -Infinity"],
    ["a choice that does not exist", { actions: [1, 2, 3, 4, 1, 1] }, "actions, row 3: found 4"],
    [
      "an integer that f32 rounds",
      { observations: Int32Array.from({ length: 12 }, (_, i) => 2 ** 24 + i) },
      "observations, row 0: found 16777217",
    ],
    ["flags that are none", { terminals: [0, 0, 2, 0, 0, 0] }, "terminals[0], row 2: found 2"],
    ["nothing", { observations: [], actions: [], rewards: [], terminals: [] }, "found no transitions"],
  ])("refuse %s", async (_name, changes, message) => {
    const opened = async () => datasetOf({ ...ARRAYS, ...changes }).transitions(layout);
    await expect(opened()).rejects.toThrow(message);
  });

  it("say what a double that f32 does not hold is", async () => {
    const { rows } = await datasetOf({ ...ARRAYS, rewards: Float64Array.of(0.1, 1, 1, 1, 1, 1) }).transitions(
      layout,
    );
    expect(rows.reward[0]).toBe(Math.fround(0.1));
    await expect(
      datasetOf({ ...ARRAYS, rewards: [1e300, 1, 1, 1, 1, 1] }).transitions(layout),
    ).rejects.toThrow("rewards, row 0: found 1e+300, allowed finite 32-bit numbers");
  });
});
