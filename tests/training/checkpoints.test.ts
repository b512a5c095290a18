import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileStore, memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { decodeAgent } from "../../src/training/index.ts";
import { decodeRun, loadCheckpoint, reinforcementLearning } from "../../src/training/workloads.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";
import { withFields } from "./support/withFields.ts";

const names = async (store: FileStore, dir = ""): Promise<string[]> =>
  (await store.list(dir)).map(({ name }) => name);

/** Bytes of all files. */
const total = async (store: FileStore): Promise<number> => (await store.estimate())?.used ?? 0;

describe("a checkpoint", () => {
  it("is a directory with every member, the elite, the replay memory, the run and the commit", async () => {
    const store = memoryFileStore();
    const training = { reset_each_generation: true };
    const run = await trained(dqn({ ...EVOLUTION, training, store }), {
      checkpoint_steps: 480,
      checkpoint_path: "runs/a",
    });
    expect(run.recorder.of("checkpoint")).toMatchObject([{ path: "runs/a_960", global_step: 960 }]);
    expect(await names(store, "runs")).toEqual(["a_960"]);
    expect(await names(store, "runs/a_960")).toEqual([
      "COMMIT.json",
      // The fittest member ever seen, which here is not that of the last generation.
      "champion.safetensors",
      "elite.safetensors",
      "member_0.safetensors",
      "member_1.safetensors",
      "replay_0.safetensors",
      "replay_1.safetensors",
      "run.json",
    ]);
    const { commit, files } = await readCheckpoint(store, "runs/a_960");
    const best = Math.max(...run.fitnesses);
    expect(commit).toMatchObject({ generation: 3, global_step: 960, fitness: best });
    for (const [slot, state] of statesOf(run.population).entries()) {
      const file = decodeAgent(files.get(`member_${slot}.safetensors`) as Uint8Array, "member");
      expect(file).toMatchObject({ environment: "CartPole-v1", num_envs: 4 });
      expect(file.agent).toEqual(state);
    }
  });

  it("holds the whole boundary: reading it gives the state back", async () => {
    const store = memoryFileStore();
    const run = await trained(dqn({ ...EVOLUTION, store, seed: 9 }), { checkpoint_steps: 1 });
    const path = run.recorder.checkpoints.at(-1) as string;
    expect(path).toBe("CartPole-v1-EvoHPO-DQN_960");
    const loaded = await loadCheckpoint(store, path);
    const { definition, ...saved } = loaded.kind === "run" ? loaded.run : { definition: null };
    expect(definition).toBe(reinforcementLearning);
    expect(saved).toEqual({ state: run.state, seed: 9, manifest: expect.anything() });
  });

  it("says what trained it, and is read without that too", async () => {
    const store = memoryFileStore();
    await trained(ppo({ store }), { checkpoint_steps: 300, checkpoint_path: "p" });
    const path = (await names(store))[0] as string;
    const { files } = await readCheckpoint(store, path);
    const deviceOf = (fields: object) => {
      const run = withFields(files.get("run.json") as Uint8Array, fields);
      return decodeRun(new Map([...files, ["run.json", run]]), path).state.device;
    };
    expect(deviceOf({})).toBe("wasm");
    expect(deviceOf({ device: "webgpu" })).toBe("webgpu");
    expect(deviceOf({ device: undefined })).toBeNull();
  });

  it("has no replay memory where the algorithm has none", async () => {
    const store = memoryFileStore();
    const run = await trained(ppo({ store }), { checkpoint_steps: 300, checkpoint_path: "p" });
    expect(await names(store, run.recorder.checkpoints[0])).toEqual([
      "COMMIT.json",
      "elite.safetensors",
      "lanes_0.safetensors",
      "lanes_1.safetensors",
      "member_0.safetensors",
      "member_1.safetensors",
      "run.json",
    ]);
  });

  it("is named without the ending that a path may have", async () => {
    for (const ending of [".pt", ".safetensors"]) {
      const store = memoryFileStore();
      await trained(dqn({ store, training: { max_steps: 160 } }), {
        checkpoint_steps: 160,
        checkpoint_path: `a/best${ending}`,
        save_elite: true,
        elite_path: `a/elite${ending}`,
      });
      expect(await names(store, "a")).toEqual(["best_320", "elite.safetensors"]);
    }
  });

  it("never takes the place of another one", async () => {
    const store = memoryFileStore();
    const train = () => trained(dqn({ store }), { checkpoint_steps: 480, checkpoint_path: "a" });
    await train();
    await train();
    expect(await names(store)).toEqual(["a_960", "a_960-2"]);
  });

  it("lies on the disk in Node", async () => {
    const root = await mkdtemp(join(tmpdir(), "rlkit-checkpoints-"));
    try {
      const store = nodeFileStore(root);
      const run = await trained(dqn({ ...EVOLUTION, store }), {
        checkpoint_steps: 100,
        overwrite_checkpoints: true,
      });
      expect(await names(store)).toEqual(["CartPole-v1-EvoHPO-DQN_960"]);
      const absolute = join(root, "CartPole-v1-EvoHPO-DQN_960");
      const resumed = await trained(
        dqn({ ...EVOLUTION, resume_from_checkpoint: absolute, training: { max_steps: 480 } }),
      );
      expect(statesOf(resumed.population)).toEqual(statesOf(run.population));
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe("periodic checkpoints", () => {
  const written = async (checkpoint_steps: number | null, training: object = {}) => {
    const store = memoryFileStore();
    const { recorder } = await trained(dqn({ store, training }), {
      ...(checkpoint_steps === null ? {} : { checkpoint_steps }),
      checkpoint_path: "c",
    });
    return recorder.of("checkpoint").map(({ global_step }) => global_step / 2);
  };

  it("come when a member has taken checkpoint_steps more, at most one a generation", async () => {
    expect(await written(1, { max_steps: 640 })).toEqual([160, 320, 480, 640]);
    expect(await written(320, { max_steps: 640 })).toEqual([320, 640]);
    expect(await written(200, { max_steps: 960 })).toEqual([320, 480, 640, 800]);
    expect(await written(5000)).toEqual([]);
    expect(await written(null)).toEqual([]);
  });

  it("follow the manifest's own settings unless train() says otherwise", async () => {
    const training = {
      checkpoint_steps: 320,
      checkpoint_path: "own",
      overwrite_checkpoints: true,
      max_steps: 640,
    };
    const store = memoryFileStore();
    await trained(dqn({ store, training }));
    expect(await names(store)).toEqual(["own_1280"]);

    const other = memoryFileStore();
    const { recorder } = await trained(dqn({ store: other, training }), {
      checkpoint_steps: 160,
      checkpoint_path: "given",
      overwrite_checkpoints: false,
    });
    expect(recorder.checkpoints).toEqual(["given_320", "given_640", "given_960", "given_1280"]);
    expect(await names(other)).toHaveLength(4);
  });

  it("keep only the last one of their own name with overwrite_checkpoints", async () => {
    const store = memoryFileStore();
    const mine = { checkpoint_steps: 1, overwrite_checkpoints: true };
    await trained(dqn({ store }), { checkpoint_steps: 160, checkpoint_path: "runs/a_b" });
    await store.write("runs/a_notes.txt", Uint8Array.of(1));
    await trained(dqn({ store }), { ...mine, checkpoint_path: "runs/a" });
    expect(await names(store, "runs")).toEqual(["a_960", "a_b_320", "a_b_640", "a_b_960", "a_notes.txt"]);
    await trained(dqn({ store, training: { max_steps: 320 } }), { ...mine, checkpoint_path: "runs/a" });
    expect(await names(store, "runs")).toEqual(["a_640", "a_b_320", "a_b_640", "a_b_960", "a_notes.txt"]);
  });
});

describe("a disk that is full", () => {
  it("is a warning: training goes on, earlier checkpoints stay, and the next boundary tries again", async () => {
    const roomy = memoryFileStore({ capacity: 1e9 });
    const train = (store: FileStore) =>
      trained(dqn({ ...EVOLUTION, store }), {
        checkpoint_steps: 1,
        checkpoint_path: "c",
        overwrite_checkpoints: true,
      });
    const expected = await train(roomy);
    const one = await total(roomy);

    const store = memoryFileStore({ capacity: Math.floor(one * 1.5) });
    const run = await train(store);
    expect(statesOf(run.population)).toEqual(statesOf(expected.population));
    expect(run.recorder.checkpoints).toEqual(["c_320"]);
    expect(await names(store)).toEqual(["c_320"]);
    const [first, ...more] = run.recorder.warnings.filter((message) => message.includes("checkpoint at"));
    expect(first).toMatch(
      /^the checkpoint at step 640 was not saved: c_640\/.*no room to write \d+ bytes; .*Training continues; earlier checkpoints are kept\.$/,
    );
    expect(more).toHaveLength(1);
    const resumed = await trained(dqn({ ...EVOLUTION, store, resume_from_checkpoint: "c_320" }));
    expect(statesOf(resumed.population)).toEqual(statesOf(expected.population));
  });

  it("that refuses to delete is a warning too", async () => {
    const store = memoryFileStore();
    const stubborn: FileStore = { ...store, remove: () => Promise.reject(new Error("read only")) };
    const run = await trained(dqn({ store: stubborn, training: { max_steps: 320 } }), {
      checkpoint_steps: 160,
      checkpoint_path: "c",
      overwrite_checkpoints: true,
    });
    expect(run.recorder.checkpoints).toEqual(["c_320", "c_640"]);
    expect(run.recorder.warnings.at(-1)).toBe(
      "earlier checkpoints could not be deleted: read only. Training continues.",
    );
    await readCheckpoint(store, "c_640");
  });
});
