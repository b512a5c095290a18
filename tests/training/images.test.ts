// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { MultiStepReplayBuffer, ReplayBuffer } from "../../src/agents/classes.ts";
import { registerEnvironment } from "../../src/agents/index.ts";
import { unpackRows } from "../../src/agents/members.ts";
import { findEnvironment } from "../../src/rl/environments.ts";
import { observationField } from "../../src/rl/programs.ts";
import {
  commitCheckpoint,
  decodeSafetensors,
  encodeSafetensors,
  type FileStore,
  memoryFileStore,
  readCheckpoint,
  type StoredTensor,
} from "../../src/storage/index.ts";
import { Accelerator } from "../../src/training/index.ts";
import { GAUGED, gaugedPictures } from "../rl/support/pictures.ts";
import { dqn, NETWORK, statesOf, trained } from "./support/tiny.ts";
// Brings in the pool of workers.
import "../../src/workers/index.ts";

const breakout = {
  environment: { env_type: "gym", name: "MinAtar/Breakout-v1", num_envs: 4 },
  network: { arch: "mlp", ...NETWORK, min_latent_dim: 8 },
} as const;

// Pictures and flags between numbers with fractions.
const gauged = gaugedPictures("uint8");
registerEnvironment(gauged);
const convolutions = { channel_size: [5], kernel_size: [2], stride_size: [1], min_channel_size: 4 };
const gauges = {
  environment: { env_type: "gym", name: gauged.id, num_envs: 4 },
  network: {
    latent_dim: 8,
    min_latent_dim: 8,
    encoder_config: { arch: "multiinput", latent_dim: 16, cnn_config: convolutions },
    head_config: NETWORK.head_config,
  },
} as const;

/** A checkpoint with the observations in its memory changed, committed anew. */
async function withObservations(store: FileStore, dir: string, change: (rows: StoredTensor) => StoredTensor) {
  const { commit, files } = await readCheckpoint(store, dir);
  for (const [name, bytes] of files) {
    if (!name.startsWith("replay_")) continue;
    const tensors = [...decodeSafetensors(bytes, name).tensors].map(
      ([field, rows]): [string, StoredTensor] => [field, field.endsWith("obs") ? change(rows) : rows],
    );
    files.set(name, encodeSafetensors(tensors));
  }
  await store.remove(dir);
  await commitCheckpoint(store, dir, files, commit);
}

describe.each([
  { of: "images", task: breakout, numbers: 400, kept: "100 words of bytes" },
  {
    of: "images beside fractions",
    task: gauges,
    numbers: GAUGED.numbers,
    kept: `${GAUGED.words} words of bytes and numbers`,
  },
])("a checkpoint whose $of were kept as numbers", ({ task, numbers, kept }) => {
  const field = observationField(findEnvironment(task.environment.name).observation_space);
  const run = (store: FileStore, changes: object = {}) =>
    trained(dqn({ training: { max_steps: 320 }, store, ...task, ...changes }), {
      checkpoint_steps: 160,
      checkpoint_path: "c",
    });
  const resume = { resume_from_checkpoint: "c_320" };
  const asNumbers = ({ shape, data }: StoredTensor): StoredTensor => ({
    shape: [shape[0] ?? 0, numbers],
    data: unpackRows(data, field),
  });

  it("goes on with the same bits", async () => {
    const store = memoryFileStore();
    const whole = await run(store);
    await withObservations(store, "c_320", asNumbers);
    const resumed = await run(store, resume);
    expect(statesOf(resumed.population)).toEqual(statesOf(whole.population));
  });

  it("is refused, file and field named, where they are no bytes or of another size", async () => {
    const store = memoryFileStore();
    await run(store);
    await withObservations(store, "c_320", (rows) => {
      const { shape, data } = asNumbers(rows);
      return { shape, data: data.map((x) => x + 0.5) as Float32Array };
    });
    await expect(run(store, resume)).rejects.toThrow(
      `c_320/replay_0.safetensors: field obs has rows of ${numbers} numbers, the environment's are ${kept}; use a checkpoint of the same environment`,
    );
    await withObservations(store, "c_320", ({ shape: [count = 0] }) => ({
      shape: [count, 99],
      data: new Uint32Array(count * 99),
    }));
    await expect(run(store, resume)).rejects.toThrow("field obs has rows of 99 words of bytes");
  });
});

describe("a run on images", () => {
  it("stores them as bytes, and goes on from a checkpoint with the same bits, whoever trains", async () => {
    const store = memoryFileStore();
    const run = async (changes: object) => {
      const replay_buffer = new MultiStepReplayBuffer({ max_size: 400, n_step: 2 });
      const options = dqn({ training: { max_steps: 320 }, store, ...breakout, ...changes, replay_buffer });
      const { population } = await trained(options, { checkpoint_steps: 160, checkpoint_path: "c" });
      return { population: statesOf(population), memory: replay_buffer };
    };
    const whole = await run({});
    const [rows] = whole.memory.segments;
    expect(rows?.obs).toBeInstanceOf(Uint32Array);
    const { obs } = whole.memory.sample(50, { seed: 1 });
    expect(new Set(obs)).toEqual(new Set([0, 1]));
    const resumed = await run({ resume_from_checkpoint: "c_320" });
    expect(resumed.population).toEqual(whole.population);
    expect(resumed.memory.segments).toEqual(whole.memory.segments);
    const spread = await run({ accelerator: new Accelerator({ workers: 2 }) });
    expect(spread.population).toEqual(whole.population);
    expect(spread.memory.segments).toEqual(whole.memory.segments);
  });

  it("takes a memory of bytes that the caller filled", async () => {
    const replay_buffer = new ReplayBuffer({ max_size: 400 });
    const picture = new Uint8Array(400).fill(1);
    replay_buffer.add({ obs: picture, action: 0, reward: 0, next_obs: picture, done: false });
    await trained(dqn({ training: { max_steps: 4, evo_steps: 4 }, ...breakout, replay_buffer }));
    expect(replay_buffer.size).toBe(9);
    expect(replay_buffer.transitionsAt([0]).obs).toEqual(new Float32Array(400).fill(1));
  });
});
