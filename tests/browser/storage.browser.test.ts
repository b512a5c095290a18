import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitCheckpoint, readCheckpoint } from "../../src/storage/checkpoint.ts";
import { type OpfsOptions, opfsFileStore } from "../../src/storage/opfs/opfsFileStore.ts";
import { STORE_CONTRACT } from "../storage/support/storeContract.ts";
import { withOpfsDirectory } from "./support/opfsDirectory.ts";
import type { ContractRequest } from "./support/storage.worker.ts";

describe("opfsFileStore in a page", () => {
  for (const { name, run } of STORE_CONTRACT) {
    it(name, () => withOpfsDirectory((root) => run(opfsFileStore(root))));
  }
  for (const { name, run } of STORE_CONTRACT) {
    it(`without move: ${name}`, () => withOpfsDirectory((root) => run(opfsFileStore(root, { move: false }))));
  }

  it("says how much room there is", async () => {
    const estimate = await opfsFileStore().estimate();
    expect(estimate?.quota).toBeGreaterThan(estimate?.used ?? Number.POSITIVE_INFINITY);
  });
});

describe("opfsFileStore in a worker", () => {
  let worker: Worker;
  beforeAll(() => {
    worker = new Worker(new URL("./support/storage.worker.ts", import.meta.url), { type: "module" });
  });
  afterAll(() => worker.terminate());

  const runInWorker = (request: ContractRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(request);
    });

  const variants: [string, OpfsOptions][] = [
    ["synchronous handles and move", {}],
    ["synchronous handles in place", { move: false }],
    ["createWritable", { syncAccess: false }],
  ];
  for (const [variant, options] of variants) {
    for (const { name } of STORE_CONTRACT) {
      it(`${variant}: ${name}`, () =>
        withOpfsDirectory(async (root) => {
          expect(await runInWorker({ directory: root.name, caseName: name, options })).toBeNull();
        }));
    }
  }
});

describe("checkpoints in the origin's file system", () => {
  it("are committed and read back", async () => {
    await withOpfsDirectory(async (root) => {
      const store = opfsFileStore(root);
      const files = new Map([
        ["member_0.safetensors", new Uint8Array(100_000).fill(3)],
        ["replay/segment_0.bin", new Uint8Array(10)],
      ]);
      const meta = { generation: 1, global_step: 10, spec_hash: "h" };
      await commitCheckpoint(store, "ck/1", files, meta);
      expect((await readCheckpoint(store, "ck/1")).files).toEqual(files);
      expect((await store.list("ck/1")).map(({ name }) => name)).toEqual([
        "COMMIT.json",
        "member_0.safetensors",
        "replay",
      ]);
    });
  });
});
