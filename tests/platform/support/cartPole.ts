/** A small run, and its expected result. */
import { unzipSync } from "fflate";
import { listCheckpoints, memoryFileStore, readCheckpoint } from "../../../src/storage/index.ts";
import type { TrainingDevice } from "../../../src/training/executors.ts";
import { runCli } from "../../cli/support.ts";

/** Its replay buffers are full after two of its seven generations. */
export const cartPole = {
  algorithm: { name: "DQN", batch_size: 16, learn_step: 4 },
  environment: { name: "CartPole-v1", num_envs: 2 },
  training: { pop_size: 4, max_steps: 700, evo_steps: 100, eval_steps: 50, learning_delay: 40 },
  network: { encoder_config: { hidden_size: [16] }, head_config: { hidden_size: [16] } },
  replay_buffer: { max_size: 800 },
  mutation: {
    probabilities: {
      no_mut: 0.4,
      arch_mut: 0.2,
      new_layer: 0.2,
      params_mut: 0.2,
      act_mut: 0,
      rl_hp_mut: 0.2,
    },
    rand_seed: 7,
  },
  selection_strategy: { tournament_size: 2, elitism: true },
};

export const GENERATIONS = 7;

/** Whether a checkpoint file contains training results. */
const isTrained = (name: string): boolean => /^(member_|elite|replay_)/.test(name);

const trained = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> =>
  new Map([...files].filter(([name]) => isTrained(name)).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The result of a run. */
export interface Trained {
  /** Files of its last checkpoint. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The best member's agent file. */
  readonly elite: Uint8Array;
}

/** The result of `rlkit train`. */
export async function trainedLocally(manifest: object, device: TrainingDevice = "wasm"): Promise<Trained> {
  const store = memoryFileStore();
  await store.write("run.json", new TextEncoder().encode(JSON.stringify(manifest)));
  const { code, stderr } = await runCli(
    ["train", "run.json", "--out", "out", "--device", device, "--workers", "1"],
    {
      store,
    },
  );
  if (code !== 0) throw new Error(stderr);
  const newest = (await listCheckpoints(store, "out")).at(-1);
  if (!newest) throw new Error("rlkit train left no checkpoint");
  const { files } = await readCheckpoint(store, newest.dir);
  return { files: trained(files), elite: await store.read("out/elite.safetensors") };
}

/** The training results in a checkpoint's zip, with verified hashes. */
export async function trainedInZip(zip: Uint8Array): Promise<Map<string, Uint8Array>> {
  const store = memoryFileStore();
  for (const [name, bytes] of Object.entries(unzipSync(zip))) await store.write(`checkpoint/${name}`, bytes);
  return trained((await readCheckpoint(store, "checkpoint")).files);
}
