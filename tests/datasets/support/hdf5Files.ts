/** HDF5 files laid out by hand, as the descriptions of their formats say. */
import h5wasm, { type Group } from "h5wasm";

export interface Table {
  readonly data: ArrayBufferView;
  readonly shape: readonly number[];
}

/** Rows of numbers, along an axis without a limit as Python's writers have it. */
export function table(group: Group, name: string, { data, shape }: Table): void {
  group.create_dataset({
    name,
    data: data as Float32Array,
    shape: [...shape],
    maxshape: [null, ...shape.slice(1)],
    chunks: shape.map((n) => Math.max(1, n)),
  });
}

let made = 0;

/** The bytes of a file that `fill` lays out. */
export async function hdf5Bytes(fill: (root: Group) => void): Promise<Uint8Array> {
  const { FS } = await h5wasm.ready;
  const name = `/made-${made++}.hdf5`;
  const file = new h5wasm.File(name, "w");
  fill(file);
  file.close();
  const bytes = FS.readFile(name) as Uint8Array;
  FS.unlink(name);
  return bytes;
}

/** An episode of a game with two numbers to see and three choices. */
export interface Episode {
  readonly observations: readonly (readonly number[])[];
  readonly actions: readonly (number | bigint)[];
  readonly rewards: readonly number[];
  readonly terminated: boolean;
  /** Legal choices of each observation. */
  readonly masks?: readonly (readonly number[])[];
}

/** Two episodes: one that ended its task, one that was cut. Rows of observations are one more than steps. */
export const EPISODES: readonly Episode[] = [
  {
    observations: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
    actions: [0, 1, 2],
    rewards: [1, 2, 3],
    terminated: true,
  },
  {
    observations: [
      [10, 11],
      [11, 12],
      [12, 13],
    ],
    actions: [2, 0],
    rewards: [0.5, 1.5],
    terminated: false,
  },
];

/** A Minari file of the episodes, which lie under the given numbers. */
export const minariBytes = (episodes = EPISODES, numbers = episodes.map((_, i) => i)): Promise<Uint8Array> =>
  hdf5Bytes((root) => {
    episodes.forEach(({ observations, actions, rewards, terminated, masks }, i) => {
      const group = root.create_group(`episode_${numbers[i]}`);
      const steps = rewards.length;
      // Its types leave out the 64-bit integers that it writes.
      const attribute = (name: string, value: bigint, type: string) =>
        group.create_attribute(name, value as never, null, type);
      attribute("id", BigInt(numbers[i] ?? i), "<q");
      // numpy's seeds pass what a double holds.
      attribute("seed", 18_446_744_073_709_551_615n, "<Q");
      attribute("total_steps", BigInt(steps), "<q");
      const infos = group.create_group("infos");
      if (masks)
        table(infos, "action_mask", { data: Int8Array.from(masks.flat()), shape: [masks.length, 3] });
      const width = observations[0]?.length ?? 0;
      table(group, "observations", {
        data: Float32Array.from(observations.flat()),
        shape: [observations.length, width],
      });
      table(group, "actions", { data: BigInt64Array.from(actions, BigInt), shape: [actions.length] });
      table(group, "rewards", { data: Float64Array.from(rewards), shape: [steps] });
      const flags = (last: boolean) =>
        Uint8Array.from({ length: steps }, (_, t) => (last && t === steps - 1 ? 1 : 0));
      table(group, "terminations", { data: flags(terminated), shape: [steps] });
      table(group, "truncations", { data: flags(!terminated), shape: [steps] });
    });
  });

/** What Minari writes beside it: JSON in strings of JSON, with bare infinities. */
export const minariMetadata = (changes: object = {}): string =>
  JSON.stringify({
    total_episodes: 2,
    total_steps: 5,
    data_format: "hdf5",
    observation_space:
      '{"type": "Box", "dtype": "float32", "shape": [2], "low": [-Infinity, -1.0], "high": [Infinity, 9.0]}',
    action_space: '{"type": "Discrete", "dtype": "int64", "start": 0, "n": 3}',
    env_spec: '{"id": "Game-v1", "max_episode_steps": 4}',
    dataset_id: "game/random-v0",
    minari_version: "0.5.3",
    author: ["somebody"],
    ...changes,
  });
