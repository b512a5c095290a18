/** Files in Minari's layout, laid out by hand from the format's description. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import h5wasm from "h5wasm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type DatasetTransitions, openDataset } from "../../src/datasets/index.ts";
import { Box, Dict, Discrete } from "../../src/rl/spaces.ts";
import { EPISODES, hdf5Bytes, minariBytes, minariMetadata, table } from "./support/hdf5Files.ts";

const layout = {
  observation_space: new Box({ low: -100, high: 100, shape: [2] }),
  action_space: new Discrete(3),
};

let bytes: Uint8Array;
let folder: string;

beforeAll(async () => {
  bytes = await minariBytes();
  folder = await mkdtemp(path.join(tmpdir(), "rlkit-minari-"));
  await mkdir(path.join(folder, "data"));
  await writeFile(path.join(folder, "data", "main_data.hdf5"), bytes);
  await writeFile(path.join(folder, "data", "metadata.json"), minariMetadata());
});
afterAll(() => rm(folder, { recursive: true }));

/** A browser's file that notes how much is read of it at once. */
class NotedBlob extends Blob {
  readonly reads: number[] = [];

  override async arrayBuffer(): Promise<ArrayBuffer> {
    this.reads.push(this.size);
    return super.arrayBuffer();
  }

  override slice(from?: number, to?: number): Blob {
    const part = super.slice(from, to);
    const read = part.arrayBuffer.bind(part);
    part.arrayBuffer = () => {
      this.reads.push(part.size);
      return read();
    };
    return part;
  }
}

describe("a Minari file", () => {
  it("is read in blocks, each once, and hashed as they come", async () => {
    const long = Array.from({ length: 40_000 }, (_, i) => [i % 7, i % 5]);
    const large = await minariBytes([
      {
        observations: long,
        actions: long.slice(1).map(() => 1),
        rewards: long.slice(1).map(() => 1),
        terminated: true,
      },
    ]);
    const file = new NotedBlob([new Uint8Array(large)]);
    const dataset = await openDataset(file);
    const reads = file.reads.slice(1);
    expect(reads.reduce((sum, size) => sum + size, 0)).toBe(large.length);
    expect(reads.length).toBeGreaterThan(1);
    expect(Math.max(...reads)).toBeLessThanOrEqual(2 ** 20);
    expect(dataset.sha256).toBe(createHash("sha256").update(large).digest("hex"));
    expect((await dataset.transitions(layout)).count).toBe(39_999);
    dataset.close();
  });

  it("gives each step with the next observation, also where an episode was cut", async () => {
    const dataset = await openDataset(bytes, { metadata: minariMetadata() });
    const { rows, count, notices } = await dataset.transitions(layout);
    expect(count).toBe(5);
    expect(notices).toEqual([]);
    expect([...rows.obs]).toEqual([0, 1, 1, 2, 2, 3, 10, 11, 11, 12]);
    expect([...rows.next_obs]).toEqual([1, 2, 2, 3, 3, 4, 11, 12, 12, 13]);
    expect(rows.action).toEqual(Int32Array.of(0, 1, 2, 2, 0));
    expect([...rows.reward]).toEqual([1, 2, 3, 0.5, 1.5]);
    // A limit of time is no end of the task.
    expect([...rows.done]).toEqual([0, 0, 1, 0, 0]);
    expect([...rows.ended]).toEqual([0, 0, 1, 0, 1]);
    dataset.close();
  });

  it("has the masks of the infos of its steps", async () => {
    const masks = [
      [1, 0, 0],
      [0, 1, 1],
      [0, 1, 0],
      [1, 1, 1],
    ];
    const dataset = await openDataset(
      await minariBytes(
        EPISODES.map((episode) => ({ ...episode, masks: masks.slice(0, episode.observations.length) })),
      ),
    );
    expect(dataset.masked).toBe(true);
    const { rows } = await dataset.transitions({ ...layout, masked: true }, 3);
    expect([...rows.obs]).toEqual([2, 3, 0, 1, 0, 10, 11, 1, 0, 0, 11, 12, 0, 1, 1]);
    expect([...rows.next_obs]).toEqual([3, 4, 1, 1, 1, 11, 12, 0, 1, 1, 12, 13, 0, 1, 0]);
    dataset.close();
  });

  it("is the same from its folder, its file and its bytes", async () => {
    const found: { readonly sha256: string | null; readonly rows: DatasetTransitions }[] = [];
    for (const from of [folder, path.join(folder, "data"), path.join(folder, "data", "main_data.hdf5")]) {
      const dataset = await openDataset(from);
      expect(dataset.observation_space).toBeInstanceOf(Box);
      found.push({ sha256: dataset.sha256, rows: await dataset.transitions(layout) });
      dataset.close();
    }
    const dataset = await openDataset(bytes);
    expect(found).toEqual(found.map(() => ({ sha256: dataset.sha256, rows: found[0]?.rows })));
    expect(await dataset.transitions(layout)).toEqual(found[0]?.rows);
    dataset.close();
  });

  it("says what it is: spaces with bare infinities, environment, episodes", async () => {
    const dataset = await openDataset(bytes, { metadata: minariMetadata() });
    expect(dataset).toMatchObject({ format: "minari", environment: "Game-v1", total_steps: 5 });
    const space = dataset.observation_space as Box;
    expect([...space.low]).toEqual([-Infinity, -1]);
    expect(space.high[0]).toBe(Infinity);
    expect(dataset.action_space).toEqual(new Discrete(3));
    expect(dataset.episodes()).toEqual([
      { id: 0, steps: 3, return: 6, end: "terminated" },
      { id: 1, steps: 2, return: 2, end: "truncated" },
    ]);
    dataset.close();
  });

  it("keeps the order of numbers, not of names", async () => {
    const dataset = await openDataset(await minariBytes(EPISODES, [10, 2]));
    expect(dataset.episodes().map(({ id }) => id)).toEqual([2, 10]);
    expect((await dataset.transitions(layout)).rows.reward[0]).toBe(0.5);
    dataset.close();
  });

  it("keeps the newest rows where fewer are asked for", async () => {
    const dataset = await openDataset(bytes);
    const { rows, count } = await dataset.transitions(layout, 3);
    expect(count).toBe(3);
    expect([...rows.reward]).toEqual([3, 0.5, 1.5]);
    dataset.close();
  });

  it("reads Dict spaces by key, whatever the order", async () => {
    const file = await hdf5Bytes((root) => {
      const episode = root.create_group("episode_0");
      const seen = episode.create_group("observations");
      table(seen, "goal", { data: BigInt64Array.of(4n, 5n), shape: [2] });
      table(seen, "place", { data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] });
      table(episode, "actions", { data: Int32Array.of(1), shape: [1] });
      table(episode, "rewards", { data: Float64Array.of(1), shape: [1] });
      table(episode, "terminations", { data: Uint8Array.of(0), shape: [1] });
      table(episode, "truncations", { data: Uint8Array.of(1), shape: [1] });
    });
    const dataset = await openDataset(file);
    const observation_space = new Dict({
      place: new Box({ low: 0, high: 9, shape: [2] }),
      goal: new Discrete(6),
    });
    const { rows } = await dataset.transitions({ ...layout, observation_space });
    expect([[...rows.obs], [...rows.next_obs]]).toEqual([
      [1, 2, 4],
      [3, 4, 5],
    ]);
    dataset.close();
  });

  it("keeps pictures that are no JPEG as bytes", async () => {
    const pixels = Uint8Array.from({ length: 2 * 12 }, (_, i) => 200 + i);
    const file = await hdf5Bytes((root) => {
      const episode = root.create_group("episode_0");
      table(episode, "observations", { data: pixels, shape: [2, 2, 2, 3] });
      table(episode, "actions", { data: Int32Array.of(1), shape: [1] });
      table(episode, "rewards", { data: Float64Array.of(1), shape: [1] });
      table(episode, "terminations", { data: Uint8Array.of(0), shape: [1] });
      table(episode, "truncations", { data: Uint8Array.of(1), shape: [1] });
    });
    const dataset = await openDataset(file);
    const observation_space = new Box({ low: 0, high: 255, shape: [2, 2, 3], dtype: "uint8" });
    const { rows } = await dataset.transitions({ ...layout, observation_space });
    expect(rows.obs).toBeInstanceOf(Uint32Array);
    expect([...new Uint8Array(rows.obs.buffer)]).toEqual([...pixels.subarray(0, 12)]);
    dataset.close();
  });
});

describe("what is refused, by name", () => {
  const refusal = async (open: () => Promise<unknown>): Promise<string> => {
    const console_error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    try {
      await open();
    } catch (error) {
      expect(console_error).not.toHaveBeenCalled();
      return (error as Error).message;
    } finally {
      console_error.mockRestore();
    }
    throw new Error("it was not refused");
  };
  const transitionsOf = (episodes: typeof EPISODES, metadata?: string) => async () => {
    const dataset = await openDataset(await minariBytes(episodes), {
      source: "game",
      ...(metadata === undefined ? {} : { metadata }),
    });
    try {
      return await dataset.transitions(layout);
    } finally {
      dataset.close();
    }
  };
  const [first, second] = EPISODES as [(typeof EPISODES)[number], (typeof EPISODES)[number]];

  it.each<[string, () => Promise<unknown>, string]>([
    ["what is no HDF5", () => openDataset(new TextEncoder().encode("no data at all")), "is not an HDF5 file"],
    [
      "a file that is cut off",
      () => openDataset(bytes.subarray(0, bytes.length - 100)),
      "is truncated: found",
    ],
    ["a path that is not there", () => openDataset("/nowhere/data"), "no such file or folder"],
    [
      "another layout",
      async () => openDataset(await hdf5Bytes((root) => void root.create_group("other"))),
      "found other, allowed Minari's groups",
    ],
    [
      "a number that is none",
      transitionsOf([
        first,
        {
          ...second,
          observations: [
            [1, 1],
            [1, Number.NaN],
            [1, 1],
          ],
        },
      ]),
      "game: episode_1/observations, row 1: found NaN",
    ],
    [
      "a reward without end",
      transitionsOf([{ ...first, rewards: [1, Infinity, 1] }, second]),
      "game: episode_0/rewards, row 1: found Infinity",
    ],
    [
      "a choice that does not exist",
      transitionsOf([first, { ...second, actions: [2, 3] }]),
      "game: episode_1/actions, row 1: found 3",
    ],
    [
      "a choice of more than 32 bits",
      transitionsOf([first, { ...second, actions: [2n ** 40n, 0] }]),
      "game: episode_1/actions, row 0: found 1099511627776",
    ],
    [
      "lengths that differ",
      transitionsOf([{ ...first, actions: [0, 1] }, second]),
      "episode_0/actions: found 2 rows, allowed 3",
    ],
    [
      "observations without the last one",
      transitionsOf([{ ...first, observations: first.observations.slice(1) }, second]),
      "episode_0/observations: found 3 rows, allowed 4",
    ],
    [
      "other widths",
      transitionsOf([{ ...first, observations: [[1], [1], [1], [1]] }, second]),
      "found rows of shape [1], allowed [2]",
    ],
    ["missing episodes", transitionsOf([first], minariMetadata()), "found 1 episodes, allowed 2"],
    [
      "missing steps, when it is opened",
      () => openDataset(bytes, { metadata: minariMetadata({ total_steps: 6 }), source: "game" }),
      "game: found 5 steps, allowed 6 (total_steps of metadata.json)",
    ],
    [
      "another format",
      transitionsOf(EPISODES, minariMetadata({ data_format: "arrow" })),
      'data_format: found "arrow", allowed "hdf5"',
    ],
    [
      "text",
      transitionsOf(EPISODES, minariMetadata({ observation_space: '{"type": "Text"}' })),
      "observation_space: found a Text space",
    ],
    [
      "other choices",
      transitionsOf(EPISODES, minariMetadata({ action_space: '{"type": "Discrete", "n": 2, "start": 0}' })),
      "action_space: found an integer from 0 to 1",
    ],
    ["metadata that is no JSON", transitionsOf(EPISODES, "{"), "game: metadata.json: "],
  ])("%s", async (_name, open, message) => {
    expect(await refusal(open)).toContain(message);
  });

  it("half an end, in the list of episodes as in the transitions", async () => {
    const file = await hdf5Bytes((root) => {
      const episode = root.create_group("episode_0");
      table(episode, "observations", { data: Float32Array.of(1, 1, 2, 2), shape: [2, 2] });
      table(episode, "actions", { data: Int32Array.of(1), shape: [1] });
      table(episode, "rewards", { data: Float64Array.of(1), shape: [1] });
      table(episode, "terminations", { data: Float32Array.of(0.5), shape: [1] });
      table(episode, "truncations", { data: Uint8Array.of(0), shape: [1] });
    });
    const dataset = await openDataset(file);
    expect(() => dataset.episodes()).toThrow("episode_0/terminations, row 0: found 0.5, allowed 0 or 1");
    await expect(dataset.transitions(layout)).rejects.toThrow(/episode_0\/terminations.*, row 0: found 0.5/);
    dataset.close();
  });

  it("JPEG in Node, with the reason", async () => {
    const file = await hdf5Bytes((root) => {
      const episode = root.create_group("episode_0");
      // h5wasm writes no rows of different lengths; one byte for each row stands for them.
      table(episode, "observations", { data: Uint8Array.of(1, 2), shape: [2] });
      table(episode, "actions", { data: Int32Array.of(1), shape: [1] });
      table(episode, "rewards", { data: Float64Array.of(1), shape: [1] });
      table(episode, "terminations", { data: Uint8Array.of(0), shape: [1] });
      table(episode, "truncations", { data: Uint8Array.of(1), shape: [1] });
    });
    const observation_space = new Box({ low: 0, high: 255, shape: [2, 2, 3], dtype: "uint8" });
    const dataset = await openDataset(file);
    await expect(dataset.transitions({ ...layout, observation_space })).rejects.toThrow(
      "its images are JPEG, which only browsers can decode",
    );
    dataset.close();
  });
});

it("a caller's open file is a data set too", async () => {
  const { datasetOf } = await import("../../src/datasets/index.ts");
  const { FS } = await h5wasm.ready;
  FS.writeFile("/caller.hdf5", bytes);
  const file = new h5wasm.File("/caller.hdf5", "r");
  const { rows } = await datasetOf(file).transitions(layout);
  expect([...rows.reward]).toEqual([1, 2, 3, 0.5, 1.5]);
  file.close();
});
