import { describe, expect, it } from "vitest";
import {
  commitCheckpoint,
  type FileStore,
  memoryFileStore,
  readCheckpoint,
} from "../../src/storage/index.ts";
import { dqn, trained } from "./support/tiny.ts";
import { withFields } from "./support/withFields.ts";

describe("a checkpoint that cannot be read", () => {
  const DIR = "c_960";

  async function saved(): Promise<FileStore> {
    const store = memoryFileStore();
    await trained(dqn({ store }), {
      checkpoint_steps: 480,
      checkpoint_path: "c",
      save_elite: true,
      elite_path: "e",
    });
    return store;
  }

  const resume = (store: FileStore, path = DIR) =>
    trained(dqn({ store, resume_from_checkpoint: path, training: { max_steps: 640 } }));

  /** The checkpoint with some of its files changed, committed anew. */
  async function altered(change: (files: Map<string, Uint8Array>) => void): Promise<FileStore> {
    const store = await saved();
    const { commit, files } = await readCheckpoint(store, DIR);
    await store.remove(DIR);
    change(files);
    await commitCheckpoint(store, DIR, files, commit);
    return store;
  }

  const runJson = (fields: object) =>
    altered((files) => files.set("run.json", withFields(files.get("run.json") as Uint8Array, fields)));

  it("is named, with what is wrong and what to do: truncated, changed, uncommitted, absent", async () => {
    const store = await saved();
    const member = await store.read(`${DIR}/member_1.safetensors`);
    await store.write(`${DIR}/member_1.safetensors`, member.subarray(0, 200));
    await expect(resume(store)).rejects.toThrow(
      /^c_960: member_1\.safetensors has 200 bytes, not \d+: the checkpoint is damaged; use an earlier one$/,
    );
    await store.write(
      `${DIR}/member_1.safetensors`,
      member.map((x, i) => (i === 500 ? x ^ 1 : x)),
    );
    await expect(resume(store)).rejects.toThrow(/member_1\.safetensors is corrupt/);
    await store.remove(`${DIR}/COMMIT.json`);
    await expect(resume(store)).rejects.toThrow(/has no COMMIT\.json/);
    await expect(resume(store, "nowhere")).rejects.toThrow("nowhere: no checkpoint is there; check the path");
    await expect(resume(store, "nowhere.safetensors")).rejects.toThrow("no such file; check the path");
    const warm = (path: string) => trained(dqn({ store, load_weights_from: path }));
    await expect(warm(DIR)).rejects.toThrow(/has no COMMIT\.json/);
    await expect(warm("nowhere")).rejects.toThrow(
      "nowhere: is not a checkpoint: it contains no agent; give a checkpoint directory or a .safetensors file",
    );
  });

  it("is refused when it is of another version or no run's", async () => {
    await expect(resume(await runJson({ version: 99, members: null, population: null }))).rejects.toThrow(
      "c_960/run.json: has run format version 99, this rlkit reads versions 1 to 2; use the rlkit that wrote it, or a newer one",
    );
    await expect(resume(await runJson({ population: "two" }))).rejects.toThrow(
      /^c_960\/run\.json: is not a saved run: population /,
    );
    const text = await altered((files) => files.set("run.json", new TextEncoder().encode("{")));
    await expect(resume(text)).rejects.toThrow("c_960/run.json: is not JSON; use an older checkpoint");
    const lacking = await altered((files) => files.delete("member_1.safetensors"));
    await expect(resume(lacking)).rejects.toThrow(
      "c_960/member_1.safetensors: is missing from the checkpoint",
    );
  });

  it("is refused when its replay memory does not fit its rings", async () => {
    const ring = (position: number, count: number) => ({ position, count });
    for (const replay of [
      { segment: 200, rings: [ring(80, 200)] },
      { segment: 100, rings: [ring(80, 100), ring(80, 100)] },
      { segment: 200, rings: [ring(80, 300), ring(80, 200)] },
      { segment: 200, rings: [ring(-1, 200), ring(80, 200)] },
      { segment: 200, rings: [ring(80, 200), ring(80, 200)], collected: [160] },
      { segment: 200, rings: [ring(80, 200), ring(80, 200)], collected: [160, -1] },
    ])
      await expect(resume(await runJson({ replay }))).rejects.toThrow(
        /^c_960\/(run\.json|replay_0\.safetensors): .*; use an older checkpoint$/,
      );
  });

  it("is an agent's file that is cut off", async () => {
    const store = await saved();
    const bytes = await store.read("e.safetensors");
    await store.write("e.safetensors", bytes.subarray(0, bytes.length - 10));
    await expect(resume(store, "e.safetensors")).rejects.toThrow(/^e\.safetensors: /);
  });
});
