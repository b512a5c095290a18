/** Writes a recording as the two files of a Minari data set, readable by Minari itself. */
import { elementSize, type SimpleSpace, type SingleAgentSpace } from "../../rl/spaces.ts";
import { VERSION } from "../../specs/messages.ts";
import type { ReferenceScores } from "../Dataset.ts";
import { type Hdf5Group, loadHdf5 } from "../files/hdf5.ts";
import { minariSpaceJson } from "./minariSpaceJson.ts";
import type { RecordedEpisode, Recording } from "./Recording.ts";

/**
 * Runs `write` while the clock that h5wasm reads is stopped. HDF5 stores the modification time of each
 * object, in seconds, and h5wasm (0.10.3) cannot disable that. The same rows written a second later would
 * have a different hash. Delete this function when h5wasm's `create_dataset` supports HDF5's `track_times`.
 *
 * @param write Must be synchronous, because all code of the thread reads this clock.
 */
function withoutClock<Written>(write: () => Written): Written {
  const { now } = Date;
  Date.now = () => 0;
  try {
    return write();
  } finally {
    Date.now = now;
  }
}

/** The Minari release whose layout is written. */
const MINARI_VERSION = "0.5.3";
/** Upper bound on the rows of a chunk. */
const CHUNK = 1024;

export interface MinariFiles {
  readonly "main_data.hdf5": Uint8Array;
  readonly "metadata.json": Uint8Array;
}

interface MinariFilesOptions {
  /** Id of the data set, such as cartpole/mine-v0. */
  readonly dataset_id: string;
  readonly description?: string;
  /** Mean returns that count as 0 and 100 (default: none). */
  readonly reference_scores?: ReferenceScores | null;
}

/** Number of files written so far, used to make their paths unique. */
let written = 0;

/** The files of a folder `<id>/data`. The same recording yields the same bytes. */
export async function minariFiles(
  recording: Recording,
  { dataset_id, description = "", reference_scores = null }: MinariFilesOptions,
): Promise<MinariFiles> {
  const { File, FS } = await loadHdf5();
  const path = `/recording-${written++}.hdf5`;
  withoutClock(() => {
    const file = new File(path, "w");
    for (const episode of recording.episodes) writeEpisode(file, episode, recording);
    file.close();
  });
  const main = FS.readFile(path);
  FS.unlink(path);
  const text = metadataText(recording, { dataset_id, description, reference_scores, bytes: main.byteLength });
  return { "main_data.hdf5": main, "metadata.json": new TextEncoder().encode(text) };
}

function writeEpisode(
  file: Hdf5Group,
  { id, seed, observations, actions, rewards, masks, terminated, truncated }: RecordedEpisode,
  { observation_space, action_space }: Recording,
): void {
  const group = file.create_group(`episode_${id}`);
  const steps = rewards.length;
  for (const [name, value] of Object.entries({ id, seed, total_steps: steps }))
    group.create_attribute(name, BigInt(value), null, "<q");
  writeElements(group, "observations", observation_space, observations);
  writeElements(group, "actions", action_space, actions);
  table(group, "rewards", rewards, [steps]);
  // Minari writes Python's booleans, an HDF5 enumeration that h5wasm cannot write. Minari's
  // reader accepts zeros and ones.
  const flags = (last: boolean) =>
    Uint8Array.from({ length: steps }, (_, t) => (last && t === steps - 1 ? 1 : 0));
  table(group, "terminations", flags(terminated), [steps]);
  table(group, "truncations", flags(truncated), [steps]);
  const infos = group.create_group("infos");
  if (masks) table(infos, "action_mask", masks, [steps + 1, masks.length / (steps + 1)]);
}

/** Writes a table of a space's elements, or a group with a table for each part. */
function writeElements(group: Hdf5Group, name: string, space: SingleAgentSpace, numbers: Float32Array): void {
  if (space.kind !== "Dict" && space.kind !== "Tuple") {
    writeSimple(group, name, space, numbers);
    return;
  }
  const parts = group.create_group(name);
  const width = elementSize(space);
  const rows = numbers.length / width;
  for (const { key, space: own, start, size } of space.parts) {
    const column = new Float32Array(rows * size);
    for (let row = 0; row < rows; row++)
      column.set(numbers.subarray(row * width + start, row * width + start + size), row * size);
    writeSimple(parts, space.kind === "Tuple" ? `_index_${key}` : key, own, column);
  }
}

function writeSimple(group: Hdf5Group, name: string, space: SimpleSpace, numbers: Float32Array): void {
  const rows = numbers.length / elementSize(space);
  table(group, name, asStored(space, numbers), space.kind === "Discrete" ? [rows] : [rows, ...space.shape]);
}

/** Choices become int64 and bits int8, as numpy's spaces sample them. Boxes of bytes stay uint8. */
function asStored(space: SimpleSpace, numbers: Float32Array): ArrayBufferView {
  switch (space.kind) {
    case "Box":
      return space.dtype === "uint8" ? Uint8Array.from(numbers) : numbers;
    case "Discrete":
    case "MultiDiscrete":
      return BigInt64Array.from(numbers, (x) => BigInt(x));
    case "MultiBinary":
      return Int8Array.from(numbers);
  }
}

function table(group: Hdf5Group, name: string, data: ArrayBufferView, shape: readonly number[]): void {
  const [rows = 1, ...rest] = shape;
  group.create_dataset({
    name,
    data,
    shape,
    maxshape: [null, ...rest],
    chunks: [Math.max(1, Math.min(rows, CHUNK)), ...rest],
  });
}

function metadataText(
  { episodes, observation_space, action_space, environment, max_episode_steps, algorithm }: Recording,
  {
    dataset_id,
    description,
    reference_scores,
    bytes,
  }: Required<MinariFilesOptions> & { readonly bytes: number },
): string {
  const env_spec = {
    id: environment,
    entry_point: null,
    reward_threshold: null,
    nondeterministic: false,
    max_episode_steps,
    order_enforce: true,
    disable_env_checker: false,
    kwargs: {},
    additional_wrappers: [],
    vector_entry_point: null,
  };
  const metadata = {
    dataset_id,
    total_episodes: episodes.length,
    total_steps: episodes.reduce((sum, { rewards }) => sum + rewards.length, 0),
    data_format: "hdf5",
    jpeg_encoding: false,
    observation_space: minariSpaceJson(observation_space),
    action_space: minariSpaceJson(action_space),
    env_spec: JSON.stringify(env_spec),
    dataset_size: Math.round(bytes / 1e5) / 10,
    minari_version: MINARI_VERSION,
    algorithm_name: algorithm,
    author: [`rlkit ${VERSION}`],
    author_email: [],
    code_permalink: "",
    description,
    ...(reference_scores && { ref_min_score: reference_scores.min, ref_max_score: reference_scores.max }),
  };
  return `${JSON.stringify(metadata, null, 2)}\n`;
}
