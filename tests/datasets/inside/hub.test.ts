/** Data sets of the hub: a fake one that breaks, forgets, changes and stalls. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addressOf, cacheRoot } from "../../../src/datasets/hub/datasetId.ts";
import { type DownloadEvent, hubFolder } from "../../../src/datasets/index.ts";
import { hubAddress } from "../../../src/hub/index.ts";
import { storageFull } from "../../../src/storage/files.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { yieldToEvents } from "../../../src/training/loop.ts";
import { minariBytes, minariMetadata } from "../support/hdf5Files.ts";

const ID = "game/random-v0";
const FOLDER = `cache/${ID}/data`;
const PART = `${FOLDER}/main_data.hdf5.part`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let file: Uint8Array;
let server: Server;
let hub: string;
let answer: Answer;
/** The Range header of every request for the large file. */
let ranges: (string | undefined)[] = [];

beforeAll(async () => {
  file = await minariBytes();
  server = createServer((request, response) => {
    if (request.url?.endsWith("metadata.json")) {
      response.end(minariMetadata());
      return;
    }
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  ranges = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Where a request asks to go on; 0 without a range, or for another version. */
const startOf = ({ headers }: IncomingMessage, tag: string): number =>
  headers["if-range"] === tag ? Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0) : 0;

/** Sends the file from where it is asked to; `most` bytes, then the connection ends. */
const send =
  (tag: () => string, most: () => number): Answer =>
  (request, response) => {
    const start = startOf(request, tag());
    const headers: Record<string, string | number> = { etag: tag(), "content-length": file.length - start };
    if (start > 0) headers["content-range"] = `bytes ${start}-${file.length - 1}/${file.length}`;
    response.writeHead(start > 0 ? 206 : 200, headers);
    const end = Math.min(file.length, start + most());
    response.write(file.subarray(start, end), () => {
      if (end < file.length) response.destroy();
      else response.end();
    });
  };

const fetched = (store: FileStore, more: object = {}) =>
  hubFolder(ID, { remote: true, hub, root: "cache", store, ...more });

const names = async (store: FileStore) => (await store.list(FOLDER)).map(({ name }) => name);

describe("a data set of the hub", () => {
  it("is fetched once, with its progress, and lies in Minari's folder", async () => {
    answer = send(
      () => '"a"',
      () => Number.POSITIVE_INFINITY,
    );
    const store = memoryFileStore();
    const events: DownloadEvent[] = [];
    expect(await fetched(store, { onEvent: (event: DownloadEvent) => events.push(event) })).toBe(FOLDER);
    expect(await names(store)).toEqual(["main_data.hdf5", "metadata.json"]);
    expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(file);
    expect(events.at(-1)).toEqual({ event: "download", received: file.length, total: file.length });
    expect(events.map(({ received }) => received)).toEqual(
      events.map(({ received }) => received).toSorted((a, b) => a - b),
    );
    await fetched(store);
    await hubFolder(ID, { root: "cache", store });
    expect(ranges).toEqual([undefined]);
  });

  it.each(Array.from({ length: 9 }, (_, i) => i + 1))(
    "is whole after a break at %s tenths",
    async (tenths) => {
      let first = true;
      const most = () => {
        const share = first ? Math.floor((tenths * file.length) / 10) : file.length;
        first = false;
        return share;
      };
      answer = send(() => '"a"', most);
      const store = memoryFileStore();
      await fetched(store);
      expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(file);
      expect(ranges).toHaveLength(2);
      // What came before the break need not come again.
      expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
      expect(await names(store)).toEqual(["main_data.hdf5", "metadata.json"]);
    },
  );

  it("comes from its start where the server forgets the range", async () => {
    let requests = 0;
    answer = (_request, response) => {
      requests++;
      response.writeHead(200, { etag: '"a"', "content-length": file.length });
      response.write(file.subarray(0, requests === 1 ? 3000 : file.length), () =>
        requests === 1 ? response.destroy() : response.end(),
      );
    };
    const store = memoryFileStore();
    await fetched(store);
    expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(file);
  });

  it("comes from its start where the file has changed meanwhile", async () => {
    let requests = 0;
    answer = (request, response) => {
      requests++;
      send(
        () => `"version ${Math.min(requests, 2)}"`,
        () => (requests === 1 ? 3000 : file.length),
      )(request, response);
    };
    const store = memoryFileStore();
    await fetched(store);
    expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(file);
    expect(ranges[1]).toMatch(/^bytes=\d+-$/);
  });

  it("loses nothing that came while the disk was slow", async () => {
    const large = new Uint8Array(2 ** 21 + 5000);
    large.set(file);
    const [first, second] = [2 ** 20, 2 ** 20 + 2000];
    let breakOff = (): void => undefined;
    const asked: (string | null)[] = [];
    vi.stubGlobal("fetch", async (address: string, { headers }: RequestInit = {}) => {
      if (address.endsWith("metadata.json")) return new Response(minariMetadata());
      const range = new Headers(headers).get("range");
      asked.push(range);
      if (asked.length === 1) {
        const pieces = [large.slice(0, first), large.slice(first, second)];
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            breakOff = () => controller.error(new TypeError("network error"));
          },
          pull: (controller) => {
            const piece = pieces.shift();
            if (piece) controller.enqueue(piece);
          },
        });
        return new Response(body, { headers: { etag: '"a"', "content-length": String(large.length) } });
      }
      const start = Number(/\d+/.exec(range ?? "")?.[0]);
      const told = { etag: '"a"', "content-range": `bytes ${start}-${large.length - 1}/${large.length}` };
      return new Response(large.slice(start), { status: 206, headers: told });
    });
    const store = memoryFileStore();
    const slow: FileStore = {
      ...store,
      append: async (path, bytes) => {
        // The connection breaks while the first block is being written.
        if (asked.length === 1 && bytes.length === first) {
          for (let turn = 0; turn < 3; turn++) await yieldToEvents();
          breakOff();
        }
        return store.append(path, bytes);
      },
    };
    await fetched(slow);
    vi.unstubAllGlobals();
    expect(asked).toEqual([null, `bytes=${second}-`]);
    expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(large);
  });

  it("goes on where an earlier program stopped", async () => {
    const store = memoryFileStore();
    answer = send(
      () => '"a"',
      () => 1000,
    );
    let taken = 0;
    answer = (
      (before) => (request, response) =>
        taken++ < 1 ? before(request, response) : response.destroy()
    )(answer);
    await expect(fetched(store)).rejects.toThrow(ID);
    expect(await names(store)).toContain("main_data.hdf5.part");
    expect(await store.exists(`${FOLDER}/main_data.hdf5`)).toBe(false);
    ranges = [];
    answer = send(
      () => '"a"',
      () => file.length,
    );
    await fetched(store);
    expect(ranges).toEqual(["bytes=1000-"]);
    expect(await store.read(`${FOLDER}/main_data.hdf5`)).toEqual(file);
  });

  it("is given up, by id and address, where no byte comes", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { etag: '"a"', "content-length": file.length });
      response.flushHeaders();
    };
    const store = memoryFileStore();
    await expect(fetched(store, { stall_ms: 30 })).rejects.toThrow(
      `${ID}: ${hub}/datasets/farama-minari/game/resolve/main/random-v0/data/main_data.hdf5: no data received for 0.03 s`,
    );
  });

  it.each<[string, Answer, string]>([
    [
      "404",
      (_request, response) => void response.writeHead(404, "Not Found").end("nothing"),
      "the server answered 404 Not Found",
    ],
    [
      "a page in its place",
      (_request, response) => void response.end("<html>please log in</html>"),
      "is not an HDF5 file",
    ],
  ])("leaves nothing behind after %s", async (_name, given, message) => {
    answer = given;
    const store = memoryFileStore();
    await expect(fetched(store)).rejects.toThrow(`${ID}: ${hub}/datasets/farama-minari/game/`);
    await expect(fetched(store)).rejects.toThrow(message);
    expect(await names(store)).toEqual(["metadata.json"]);
  });

  it("leaves nothing behind on a full disk", async () => {
    answer = send(
      () => '"a"',
      () => file.length,
    );
    const store = memoryFileStore();
    const full: FileStore = {
      ...store,
      append: async (path, bytes) => {
        if (path === PART) throw storageFull(path, bytes.byteLength);
        return store.append(path, bytes);
      },
    };
    await expect(fetched(full)).rejects.toThrow(`${ID}: ${hub}`);
    await expect(fetched(full)).rejects.toThrow("no room for the file");
    expect(await names(store)).toEqual(["metadata.json"]);
  });

  it("is fetched once by two that ask at once", async () => {
    answer = send(
      () => '"a"',
      () => file.length,
    );
    const store = memoryFileStore();
    await Promise.all([fetched(store), fetched(store)]);
    expect(ranges).toHaveLength(1);
  });

  it("is refused where it is not cached and remote is false", async () => {
    const store = memoryFileStore();
    await expect(hubFolder(ID, { root: "cache", store })).rejects.toThrow(
      `${ID}: is not in the cache (${FOLDER}); set remote: true to fetch it, or run rlkit data fetch ${ID}`,
    );
    expect(await store.list("cache")).toEqual([]);
  });

  it.each(["", "game", "../a-v0", "game/../a-v0", "/a-v0", "game/random-v", "game//a-v0"])(
    "refuses %j as an id",
    async (id) => {
      await expect(
        hubFolder(id, { remote: true, hub, root: "cache", store: memoryFileStore() }),
      ).rejects.toThrow(`hub_dataset_id: found "${id}"`);
    },
  );
});

it("addresses are Minari's, of the hub that is named", () => {
  expect(addressOf("D4RL/door/human-v2", "main_data.hdf5", hubAddress(null))).toBe(
    `${process.env.RLKIT_HUB ?? "https://huggingface.co"}/datasets/farama-minari/D4RL/resolve/main/door/human-v2/data/main_data.hdf5`,
  );
  expect(hubAddress("http://here/")).toBe("http://here");
  expect(() => addressOf("door-v0", "x", "http://here")).toThrow("has no repository");
  expect(cacheRoot()).toMatch(/minari|datasets/i);
});
