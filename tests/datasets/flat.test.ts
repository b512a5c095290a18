/** Flat data sets: files of AgileRL, and arrays in memory. */
import { describe, expect, it } from "vitest";
import { type DatasetArrays, datasetOf, openDataset } from "../../src/datasets/index.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
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

const maskedRows = async (more: object) => {
  const { rows } = await datasetOf({ ...ARRAYS, ...more }).transitions({ ...layout, masked: true });
  return [rows.obs, rows.next_obs].map((seen) => [...seen].filter((_, i) => i % 5 > 1));
};

describe("action masks", () => {
  const action_masks = [
    [1, 0, 1],
    [0, 1, 1],
    [0, 0, 0],
    [1, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
  ];
  const [one, two, none, three, four, five] = action_masks as [
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
  ];

  it("follow their observations; what is legal after the end of a task does not matter", async () => {
    const legal = [...action_masks];
    legal[2] = [0, 0, 1];
    const next_action_masks = [two, one, none, four, five, one];
    const given = { action_masks: legal, next_action_masks, next_observations: ARRAYS.observations };
    expect(await maskedRows(given)).toEqual([
      [...one, ...two, 0, 0, 1, ...three, ...four, ...five],
      [...two, ...one, 1, 1, 1, ...four, ...five, ...one],
    ]);
    // The last row is left out, because what followed it is not known.
    expect(await maskedRows({ action_masks: legal })).toEqual([
      [...one, ...two, 0, 0, 1, ...three, ...four],
      [...two, 0, 0, 1, ...three, ...four, ...five],
    ]);
    expect(datasetOf({ ...ARRAYS, action_masks }).masked).toBe(true);
    expect(datasetOf(ARRAYS).masked).toBe(false);
  });

  it("are refused where nothing is legal, or where those of the next observations are missing", async () => {
    await expect(maskedRows({ action_masks })).rejects.toThrow("row 2: found a mask without a legal choice");
    await expect(maskedRows({ action_masks, next_observations: ARRAYS.observations })).rejects.toThrow(
      "next_action_masks is missing",
    );
  });
});

/** Three episodes: one that ends its task, one that is cut after row 3, one that is open. */
const CUT_AT_3 = [
  { id: 0, steps: 3, return: 3, end: "terminated" },
  { id: 1, steps: 1, return: 2, end: "truncated" },
  { id: 2, steps: 2, return: 4, end: "open" },
];

describe("tables that mark the ends of episodes", () => {
  it.each<[string, readonly (number | boolean)[]]>([
    ["timeouts", [0, 0, 0, 1, 0, 0]],
    ["truncations", [0, 0, 0, 1, 0, 0]],
    ["truncateds", [false, false, false, true, false, false]],
    ["truncated", [0, 0, 0, 1, 0, 0]],
    ["time_limits", [0, 0, 0, 1, 0, 0]],
    ["episode_truncations", [0, 0, 0, 1, 0, 0]],
    ["dones", [0, 0, 1, 1, 0, 0]],
    ["done", [0, 0, 1, 1, 0, 0]],
    ["episode_terminals", [0, 0, 1, 1, 0, 0]],
    ["episodeTerminals", [0, 0, 1, 1, 0, 0]],
    ["episode_dones", [0, 0, 1, 1, 0, 0]],
    ["is_last", [0, 0, 1, 1, 0, 0]],
    ["traj_ends", [0, 0, 1, 1, 0, 0]],
    ["episode_ends", [0, 0, 1, 1, 0, 0]],
    ["timeouts", [3, 5]],
    ["episode_starts", [1, 0, 0, 1, 1, 0]],
    ["is_first", [1, 0, 0, 1, 1, 0]],
    ["is_init", [1, 0, 0, 1, 1, 0]],
    ["episode_starts", [0, 3, 4]],
    ["traj_starts", [0, 3, 4, 6]],
    ["episode_ids", [7, 7, 7, 9, 2, 2]],
    ["episode_index", [0, 0, 0, 1, 2, 2]],
    ["traj_id", [0, 0, 0, 1, 2, 2]],
  ])("%s: %j", async (name, marks) => {
    const arrays = { ...ARRAYS, [name]: marks };
    // Row numbers of ends, and the starts after the last row, say that the last episode ends too.
    const open = marks.at(-1) === 5 || marks.at(-1) === 6 ? "truncated" : "open";
    expect(datasetOf(arrays).episodes()).toEqual([...CUT_AT_3.slice(0, 2), { ...CUT_AT_3[2], end: open }]);
    const { pairs, notices } = await nextOf(arrays);
    expect(pairs.map(([obs]) => obs)).toEqual([0, 1, 2, 4]);
    expect(notices.join()).toContain("2 of 6 rows are left out");
  });

  it.each<[string, readonly number[]]>([
    ["episode_ends", [3, 4, 6]],
    ["episode_ends", [0, 3, 4, 6]],
    ["episode_ends", [2, 3, 5]],
    ["episode_lengths", [3, 1, 2]],
    ["meta/episode_ends", [3, 4, 6]],
  ])("%s: %j, also for the last episode", (name, marks) => {
    expect(
      datasetOf({ ...ARRAYS, [name]: marks })
        .episodes()
        .map(({ steps, end }) => [steps, end]),
    ).toEqual([
      [3, "terminated"],
      [1, "truncated"],
      [2, "truncated"],
    ]);
  });

  it.each(["terminations", "terminateds", "terminated", "is_terminal"])(
    "%s stand for terminals",
    async (name) => {
      const { terminals, ...others } = ARRAYS;
      const { pairs } = await nextOf({ ...others, [name]: terminals } as never);
      expect(pairs).toEqual((await nextOf(ARRAYS)).pairs);
    },
  );

  it("dones that no time limit explains are terminals", async () => {
    const given = {
      ...ARRAYS,
      terminals: undefined,
      dones: [0, 0, 1, 1, 0, 0],
      timeouts: [0, 0, 0, 1, 0, 0],
    };
    expect(datasetOf(given).episodes()).toEqual(CUT_AT_3);
  });

  it.each<[string, readonly (number | readonly number[])[]]>([
    ["my_cuts", [0, 0, 0, 1, 0, 0]],
    ["log_probs", [-1, -2, -1, -2, -1, -2]],
    ["qpos", ARRAYS.observations],
    ["boundaries", [3, 4]],
    ["episode_lengths", [3, 4]],
  ])("names %s in a notice, which says nothing known", async (name, values) => {
    const given = datasetOf({ ...ARRAYS, [name]: values });
    expect(given.notices).toEqual([
      `dataset: not read: ${name}; if one marks where episodes end, name it timeouts (1 at each last row), episode_starts or episode_ends`,
    ]);
    expect(given.episodes()).toHaveLength(2);
    expect((await given.transitions(layout)).notices).toContain(given.notices[0]);
  });

  it("are not looked for in what has neither rows nor row numbers", () => {
    const others = {
      version: 1,
      seeds: [9, 3],
      "infos/qpos": ARRAYS.observations,
      author: "a",
      notes: ["a", "b"],
    };
    expect(datasetOf({ ...ARRAYS, ...others }).notices).toEqual([]);
  });

  it("are found in files, beside single values and in groups", async () => {
    const bytes = await hdf5Bytes((root) => {
      table(root, "observations", { data: Float32Array.from(ARRAYS.observations.flat()), shape: [6, 2] });
      table(root, "actions", { data: Int32Array.from(ARRAYS.actions), shape: [6, 1] });
      table(root, "rewards", { data: Float32Array.from(ARRAYS.rewards), shape: [6, 1] });
      table(root, "terminals", { data: Float32Array.from(ARRAYS.terminals, Number), shape: [6, 1] });
      table(root.create_group("meta"), "episode_ends", { data: BigInt64Array.of(3n, 4n, 6n), shape: [3] });
      table(root, "my_cuts", { data: Int32Array.of(0, 0, 0, 1, 0, 0), shape: [6] });
      root.create_dataset({ name: "version", data: 1 } as never);
    });
    const file = await openDataset(bytes);
    expect(file.episodes().map(({ steps }) => steps)).toEqual([3, 1, 2]);
    expect(file.notices).toEqual([expect.stringContaining("not read: my_cuts;")]);
    file.close();
    await expect(openDataset(bytes, { metadata: '{ "total_steps": 7 }' })).rejects.toThrow(
      "found 6 steps, allowed 7 (total_steps of metadata.json)",
    );
  });
});

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
    const own = [1, 2, 52, 53, 5, 55];
    const next_observations = own.map((x) => [x, x]);
    const { pairs, notices } = await nextOf({ ...ARRAYS, next_observations, timeouts: [0, 0, 0, 1, 0, 0] });
    expect(pairs).toEqual([
      [0, 1, 0],
      [1, 2, 0],
      [2, 52, 1],
      [3, 53, 0],
      [4, 5, 0],
      [5, 55, 0],
    ]);
    expect(notices).toEqual([]);
  });

  it("keep a last row at which the task ended: it needs no next observation", async () => {
    const { pairs, notices } = await nextOf({ ...ARRAYS, terminals: [0, 0, 1, 0, 0, 1] });
    expect(pairs).toEqual([
      [0, 1, 0],
      [1, 2, 0],
      [2, 3, 1],
      [3, 4, 0],
      [4, 5, 0],
      [5, 5, 1],
    ]);
    expect(notices).toEqual([]);
  });

  it("count rows whose next observation is not below them, where no end is marked", async () => {
    // Another episode begins at row 4.
    const observations = [0, 1, 2, 3, 40, 41].map((x) => [x, x]);
    const next_observations = [1, 2, 3, 4, 41, 42].map((x) => [x, x]);
    const { notices } = await nextOf({ ...ARRAYS, observations, next_observations });
    expect(notices).toEqual([
      "dataset: next_observations of 1 rows is not the observation of the row below, and no episode ends there (first at row 3); if episodes end there, mark them in timeouts or truncations",
    ]);
    const marked = await nextOf({ ...ARRAYS, observations, next_observations, timeouts: [0, 0, 0, 1, 0, 0] });
    expect(marked.notices).toEqual([]);
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
    ["flags that are none", { terminals: [0, 0, 2, 0, 0, 0] }, "terminals, row 2: found 2, allowed 0 or 1"],
    ["half an end", { terminals: [0, 0, 0.5, 0, 0, 0] }, "terminals, row 2: found 0.5, allowed 0 or 1"],
    ["half a time limit", { timeouts: [0, 0, 0, 0.5, 0, 0] }, "timeouts, row 3: found 0.5, allowed 0 or 1"],
    ["another number of flags", { dones: [0, 0, 1] }, "dones: found rows of shape [3], allowed 6 rows"],
    [
      "row numbers that stop early",
      { episode_ends: [2, 4] },
      "episode_ends: found row numbers up to 4, allowed up to 5",
    ],
    [
      "ends alone, which may be limits",
      { terminals: undefined, dones: [0, 0, 1, 0, 0, 1] },
      "terminals is missing; found",
    ],
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
