/** Repositories of a hub on this machine: listed, downloaded, cut, forged, cached. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  cachedRepository,
  fetchRepository,
  type HubOptions,
  hubIdOf,
  listCached,
  listRepository,
  RemoteFile,
  removeCached,
} from "../../src/hub/index.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { filesIn } from "../llm/support/filesIn.ts";
import { COMMIT, FakeHub, TOKEN } from "./support/fakeHub.ts";

const ID = "someone/something";
const KEY = `models/${ID}`;
const LARGE = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 31) % 251);
const FILES = { "config.json": '{"a": 1}', "model.safetensors": LARGE, "more/empty.txt": "" };
const PLACE = { kind: "model", id: ID, part: null } as const;
const FOLDER = `/v1/hub/models/${ID}/${COMMIT}`;

let hub: FakeHub;
beforeAll(async () => {
  hub = await FakeHub.open();
});
beforeEach(() => {
  hub.clear();
  hub.repositories.set(KEY, { files: FILES, licence: "apache-2.0" });
  vi.stubEnv("HF_TOKEN", "");
});
afterAll(() => hub.close());

const options = (more: HubOptions = {}): HubOptions => ({ hub: hub.address, stall_ms: 5000, ...more });
const listed = (more: HubOptions = {}, id = ID) => listRepository("model", id, options(more));
const fetched = async (store: FileStore, more: object = {}) =>
  fetchRepository(await listed(), { ...options({ store }), ...more });
const paths = (store: FileStore): Promise<string[]> => filesIn(store, "/");

describe("a listing", () => {
  it("has sizes, hashes, licence and commit, and loads no file", async () => {
    const found = await listed();
    expect(found).toMatchObject({ id: ID, revision: COMMIT, licence: "apache-2.0", gated: false });
    expect(found.files.map(({ path, size }) => [path, size])).toEqual([
      ["config.json", 8],
      ["model.safetensors", 20_000],
      ["more/empty.txt", 0],
    ]);
    expect(found.bytes).toBe(20_008);
    expect(found.files.map(({ sha256, git }) => [sha256?.length, git?.length])).toEqual([
      [undefined, 40],
      [64, undefined],
      [undefined, 40],
    ]);
    expect(hub.loaded).toEqual([]);
  });

  it("has the files of all pages", async () => {
    hub.pageSize = 1;
    expect((await listed()).files).toHaveLength(3);
  });

  it("takes the licence of the tags, or its own name", async () => {
    hub.repositories.set(KEY, { files: FILES, cardData: { license: "other", license_name: "own" } });
    expect((await listed()).licence).toBe("own");
    hub.repositories.set(KEY, { files: FILES });
    expect((await listed()).licence).toBeNull();
  });

  it("is of the revision that the id names", async () => {
    expect((await listed({}, `${ID}@v1`)).revision).toBe(COMMIT);
    await expect(listed({}, `${ID}@v2`)).rejects.toThrow(
      `${ID}@v2: has no revision "v2"; see ${hub.address}/${ID}`,
    );
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["a repository that is not there", () => listed({}, "no/one"), "there is no such model at"],
    ["one of another kind", () => listRepository("dataset", ID, options()), "there is no such dataset at"],
    ["a text that is no id", () => listed({}, "../passwords"), "is not an ID of the hub, allowed OWNER/NAME"],
    [
      "a token with a space",
      () => listed({ token: "hf a" }),
      "the token contains characters that tokens cannot have",
    ],
    [
      "a server that is not there",
      () => listed({ hub: "http://127.0.0.1:1" }),
      "http://127.0.0.1:1 cannot be reached",
    ],
  ])("is refused for %s", async (_name, list, message) => {
    await expect(list()).rejects.toThrow(message);
  });

  it("is refused for a server that is no hub", async () => {
    vi.stubGlobal("fetch", async () => new Response("<html>please log in</html>"));
    await expect(listed()).rejects.toThrow("is not the answer of a hub; check the hub's address");
    vi.unstubAllGlobals();
  });

  it("of a private repository needs the token, which is given or of the environment", async () => {
    hub.repositories.set(KEY, { files: FILES, hidden: true });
    await expect(listed()).rejects.toThrow(
      "or it is private; check the id, or give a token: the environment",
    );
    expect(await listed({ token: TOKEN })).toMatchObject({ id: ID });
    vi.stubEnv("HF_TOKEN", TOKEN);
    expect(await listed()).toMatchObject({ id: ID });
  });
});

it.each([
  ["HuggingFaceTB/SmolLM2-135M-Instruct", true],
  ["a/b@refs/pr/1", true],
  ["models/tiny", false],
  ["datasets/x", false],
  ["rlkit/tiny-digits", false],
  ["runs/a/b", false],
  ["a/..", false],
  ["./a", false],
  ["/a/b", false],
  ["gpt2", false],
])("%s: is an id: %s", (text, is) => {
  expect(hubIdOf(text) !== null).toBe(is);
});

describe("a download", () => {
  it("puts the files into the cache, with progress, and asks for none again", async () => {
    const store = memoryFileStore();
    const seen: number[] = [];
    const onProgress = ({ received, total }: { received: number; total: number }) => {
      seen.push(received);
      expect(total).toBe(20_008);
    };
    expect(await fetched(store, { onProgress })).toBe(FOLDER);
    expect(await store.read(`${FOLDER}/model.safetensors`)).toEqual(LARGE);
    expect((await store.read(`${FOLDER}/more/empty.txt`)).length).toBe(0);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(20_008);
    expect(await cachedRepository(PLACE, store)).toMatchObject({ complete: true, folder: FOLDER });
    hub.requests = [];
    await fetched(store);
    expect(hub.loaded).toEqual([]);
  });

  it("is the same after cuts at any byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20_000 }), async (most) => {
        hub.cut = () => Math.max(most, 5000);
        const store = memoryFileStore();
        await fetched(store);
        expect(await store.read(`${FOLDER}/model.safetensors`)).toEqual(LARGE);
        expect((await paths(store)).filter((path) => path.includes(".part"))).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it("goes on where an earlier program was stopped", async () => {
    const store = memoryFileStore();
    const ending = new AbortController();
    hub.cut = (path) => (path.endsWith(".safetensors") ? 7000 : null);
    const stopped = fetched(store, {
      signal: ending.signal,
      onProgress: ({ received }: { received: number }) => received > 7000 && ending.abort(),
    });
    await expect(stopped).rejects.toThrow("fetch it again to resume");
    expect(await cachedRepository(PLACE, store)).toBeNull();
    expect(await listCached("model", store)).toMatchObject([{ id: ID, complete: false }]);
    hub.cut = () => null;
    hub.requests = [];
    await fetched(store);
    expect(await store.read(`${FOLDER}/model.safetensors`)).toEqual(LARGE);
    expect(hub.requests.filter(({ host }) => host === "cdn").map(({ range }) => range)).toEqual([
      expect.stringMatching(/^bytes=[1-9]\d*-$/),
    ]);
  });

  it("is given up where connections bring nothing, and keeps what came", async () => {
    const store = memoryFileStore();
    hub.cut = (path) => (path.endsWith(".safetensors") ? 0 : null);
    await expect(fetched(store)).rejects.toThrow(
      `${ID}: ${hub.address}/${ID}/resolve/${COMMIT}/model.safetensors: `,
    );
    expect(await cachedRepository(PLACE, store)).toBeNull();
  });

  const forged = (path: string) => (name: string, content: Buffer) => {
    const copy = Buffer.from(content);
    if (name === path) copy[0] = (copy[0] ?? 0) ^ 1;
    return copy;
  };
  it.each([
    ["model.safetensors", "has the SHA-256"],
    ["config.json", "has the git id"],
  ])("of a forged %s leaves nothing of it", async (path, message) => {
    const store = memoryFileStore();
    hub.sent = forged(path);
    await expect(fetched(store)).rejects.toThrow(message);
    await expect(fetched(store)).rejects.toThrow("where the hub lists");
    expect((await paths(store)).some((found) => found.includes(path))).toBe(false);
    expect(await cachedRepository(PLACE, store)).toBeNull();
  });

  it.each([-1, 1])("of a size that is not listed (%s byte) is refused", async (more) => {
    const store = memoryFileStore();
    hub.sent = (path, content) =>
      path !== "model.safetensors"
        ? content
        : more < 0
          ? content.subarray(0, more)
          : Buffer.concat([content, Buffer.alloc(more)]);
    await expect(fetched(store)).rejects.toThrow(`has ${20_000 + more} bytes, where the hub lists 20000`);
    expect(await cachedRepository(PLACE, store)).toBeNull();
  });

  it("that does not fit is refused before it begins, or leaves nothing", async () => {
    const small = memoryFileStore({ capacity: 15_000 });
    await expect(fetched(small)).rejects.toThrow(
      "needs 0.0 MB of storage, found 0.0 MB free; delete runs or other models",
    );
    expect(hub.loaded).toEqual([]);
    // A store that does not know its limits finds out.
    await expect(fetched({ ...small, estimate: async () => null })).rejects.toThrow("no room for the file");
    expect(await paths(small)).toEqual([]);
  });

  it("of a gated repository needs a token with access, which no other host gets and no file has", async () => {
    hub.repositories.set(KEY, { files: FILES, gated: true });
    const store = memoryFileStore();
    expect(await listed()).toMatchObject({ gated: true });
    await expect(fetched(store)).rejects.toThrow(
      `is gated: its owner grants access to single users; ask for access at ${hub.address}/${ID}, then give a token`,
    );
    hub.granted = false;
    await expect(fetched(store, { token: TOKEN })).rejects.toThrow("try again with the token of that user");
    hub.granted = true;
    hub.requests = [];
    await fetched(store, { token: TOKEN });
    const tokens = (host: string) =>
      new Set(hub.requests.filter((one) => one.host === host).map(({ token }) => token));
    expect([...tokens("cdn")]).toEqual([null]);
    expect([...tokens("hub")]).toContain(TOKEN);
    for (const path of await paths(store))
      expect(new TextDecoder("latin1").decode(await store.read(path))).not.toContain(TOKEN);
  });

  it("of a new commit replaces the files of the old one when it is complete", async () => {
    const store = memoryFileStore();
    await fetched(store);
    const commit = "beef".padEnd(40, "0");
    hub.repositories.set(KEY, { files: { "config.json": "{}", "new.bin": LARGE.slice(1) }, commit });
    hub.cut = (path) => (path === "new.bin" ? 0 : null);
    await expect(fetched(store)).rejects.toThrow("new.bin");
    expect(await cachedRepository(PLACE, store)).toMatchObject({ revision: COMMIT });
    hub.cut = () => null;
    await fetched(store);
    expect(await cachedRepository(PLACE, store)).toMatchObject({ revision: commit });
    expect((await paths(store)).some((path) => path.includes(COMMIT))).toBe(false);
  });

  it("is done once for two that ask at once", async () => {
    const store = memoryFileStore();
    await Promise.all([fetched(store), fetched(store)]);
    expect(hub.loaded.toSorted()).toEqual(Object.keys(FILES).toSorted());
  });
});

it("a file is read in parts, without the rest of it", async () => {
  const listing = await listed();
  const [, large] = listing.files;
  if (!large) throw new Error("it is listed");
  const file = RemoteFile.of(listing, large, options());
  const bytes = async (part: RemoteFile) => new Uint8Array(await part.arrayBuffer());
  expect(file.size).toBe(20_000);
  expect(await bytes(file.slice(100, 200).slice(10, 500))).toEqual(LARGE.slice(110, 200));
  expect(await bytes(file.slice(19_990))).toEqual(LARGE.slice(19_990));
  expect((await bytes(file.slice(5, 5))).length).toBe(0);
  const ranges = hub.requests.filter(({ host }) => host === "cdn").map(({ range }) => range);
  expect(ranges).toEqual(["bytes=110-199", "bytes=19990-19999"]);
  hub.sent = (_path, content) => content.subarray(0, 150);
  await expect(bytes(file.slice(100, 200))).rejects.toThrow("50 bytes came, where 100 were asked for");
});

describe("the cache", () => {
  it("lists and deletes", async () => {
    const store = memoryFileStore();
    await fetched(store);
    expect(await listCached("model", store)).toMatchObject([
      { id: ID, bytes: 20_008, licence: "apache-2.0" },
    ]);
    expect(await listCached("dataset", store)).toEqual([]);
    expect(await removeCached("model", ID, store)).toBe(true);
    expect(await removeCached("model", ID, store)).toBe(false);
    expect(await paths(store)).toEqual([]);
  });

  it("refuses a repository whose file was cut or lost since, and takes a damaged record for none", async () => {
    const store = memoryFileStore();
    await fetched(store);
    await store.write(`${FOLDER}/config.json`, new Uint8Array(3));
    await expect(cachedRepository(PLACE, store)).rejects.toThrow(
      `${FOLDER}/config.json has 3 bytes, where the hub lists 8; delete it from the cache (rlkit models delete ${ID})`,
    );
    await store.remove(`${FOLDER}/config.json`);
    await expect(cachedRepository(PLACE, store)).rejects.toThrow("config.json is missing");
    await fetched(store);
    expect(await cachedRepository(PLACE, store)).not.toBeNull();
    await store.write(`/v1/hub/models/${ID}/hub.json`, new TextEncoder().encode("{"));
    expect(await cachedRepository(PLACE, store)).toBeNull();
  });
});
