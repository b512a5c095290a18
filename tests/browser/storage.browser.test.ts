import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { cdp } from "vitest/browser";
import {
  commitCheckpoint,
  listCheckpoints,
  type OpfsOptions,
  opfsFileStore,
  readCheckpoint,
} from "../../src/storage/index.ts";
import { yieldToEvents } from "../../src/training/loop.ts";
import { STORE_CONTRACT } from "../storage/support/storeContract.ts";
import { withOpfsDirectory } from "./support/opfsDirectory.ts";
import { commitBytes, type StorageRequest } from "./support/storage.worker.ts";

let worker: Worker;
beforeAll(() => {
  worker = new Worker(new URL("./support/storage.worker.ts", import.meta.url), { type: "module" });
});
afterAll(() => worker.terminate());

function inWorker(request: StorageRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(request);
  });
}

/** One writer alone; the DOM's types lack `mode`. */
const EXCLUSIVE = { keepExistingData: false, mode: "exclusive" };

const WORKER_VARIANTS: readonly [string, OpfsOptions][] = [
  ["synchronous handles and move", {}],
  ["synchronous handles in place", { move: false }],
  ["createWritable", { syncAccess: false }],
];

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

  it("waits for a file that another handle has, and says so when it stays", async () => {
    await withOpfsDirectory(async (root) => {
      const store = opfsFileStore(root);
      await store.write("x", new Uint8Array(1));
      const holder = await (await root.getFileHandle("x")).createWritable(EXCLUSIVE);
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      let written = false;
      const waiting = store.write("x", new Uint8Array(2)).then(() => {
        written = true;
      });
      // Until it was refused, and waits to try again.
      while (vi.getTimerCount() === 0) await yieldToEvents();
      await holder.close();
      for (; !written; await yieldToEvents()) vi.runAllTimers();
      await waiting;
      vi.useRealTimers();
      expect((await store.read("x")).byteLength).toBe(2);

      const stays = await (await root.getFileHandle("x")).createWritable(EXCLUSIVE);
      await expect(store.write("x", new Uint8Array(3))).rejects.toMatchObject({ code: "locked", path: "x" });
      await stays.abort();
      expect((await store.read("x")).byteLength).toBe(2);
    });
  });
});

describe("opfsFileStore in a worker", () => {
  for (const [variant, options] of WORKER_VARIANTS) {
    for (const { name } of STORE_CONTRACT) {
      it(`${variant}: ${name}`, () =>
        withOpfsDirectory(async ({ name: directory }) => {
          expect(await inWorker({ type: "contract", directory, options, caseName: name })).toBeNull();
        }));
    }
  }
});

describe("checkpoints in the origin's file system", () => {
  it("are committed and read back", async () => {
    await withOpfsDirectory(async (root) => {
      const store = opfsFileStore(root);
      const files = new Map([
        ["member_0.safetensors", new Uint8Array(1000).fill(3)],
        ["replay/segment_0.bin", new Uint8Array(10)],
      ]);
      await commitCheckpoint(store, "ck/1", files, { generation: 1, global_step: 10, spec_hash: "h" });
      expect((await readCheckpoint(store, "ck/1")).files).toEqual(files);
      expect((await store.list("ck/1")).map(({ name }) => name)).toEqual([
        "COMMIT.json",
        "member_0.safetensors",
        "replay",
      ]);
    });
  });

  const page: [string, OpfsOptions | null] = ["a page", null];
  it.each([page, ...WORKER_VARIANTS])(
    "are kept when the origin's quota is used up: %s",
    async (_, options) => {
      await withOpfsDirectory(async (root) => {
        const store = opfsFileStore(root);
        expect(await commitBytes(store, "ck/1", 40_000)).toBeNull();
        const request = { type: "commit", directory: root.name, dir: "ck/2", bytes: 8_000_000 } as const;
        const code = await withQuota(1_000_000, () =>
          options === null ? commitBytes(store, "ck/2", request.bytes) : inWorker({ ...request, options }),
        );
        expect(code).toBe("full");
        expect((await listCheckpoints(store, "ck")).map(({ name }) => name)).toEqual(["1"]);
        expect((await store.list("ck")).map(({ name }) => name)).toEqual(["1"]);
        expect((await readCheckpoint(store, "ck/1")).files.size).toBe(4);
        expect(await commitBytes(store, "ck/2", request.bytes)).toBeNull();
      });
    },
  );
});

/** What of the browser's own protocol is used here; the test library leaves it to the provider's types. */
interface BrowserSession {
  send(method: string, parameters: object): Promise<unknown>;
}

/** Runs `work` while the browser grants this origin only `bytes`. */
async function withQuota<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const session = cdp() as BrowserSession;
  const { origin } = location;
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: bytes });
  try {
    return await work();
  } finally {
    await session.send("Storage.overrideQuotaForOrigin", { origin });
  }
}
