import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/storage/files.ts";
import {
  type FileStore,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  type RunIndex,
  type RunLocks,
  RunStore,
  StorageError,
} from "../../src/storage/index.ts";
import { FAULTS, faultyFileStore, SimulatedCrash } from "./support/faultyFileStore.ts";

interface Parts {
  readonly files: FileStore;
  readonly index: RunIndex;
  readonly locks: RunLocks;
}

const newParts = (capacity?: number): Parts => ({
  files: memoryFileStore(capacity === undefined ? {} : { capacity }),
  index: memoryRunIndex(),
  locks: memoryRunLocks(),
});
/** The same files after a restart of the process: locks are gone. The index stays by default. */
const restarted = (parts: Parts, index: RunIndex = parts.index): RunStore =>
  new RunStore({ files: parts.files, index, locks: memoryRunLocks() });

const manifest = { algorithm: { name: "DQN" }, training: { max_steps: 1000 } };
const filesOf = (label: string): Map<string, Uint8Array> =>
  new Map([
    ["member_0.safetensors", strToU8(`${label} member`)],
    ["replay/segment_0.bin", strToU8(`${label} replay`)],
  ]);
const metaOf = (generation: number, fitness: number | null = null) => ({
  generation,
  global_step: generation * 100,
  spec_hash: "h",
  fitness,
});

describe("a run", () => {
  it("is created running, changed and listed, the last changed first", async () => {
    const store = new RunStore(newParts());
    const a = await store.createRun({ id: "a", name: "First", manifest });
    expect(a).toMatchObject({ id: "a", name: "First", state: "running", generation: 0, best_fitness: null });
    const b = await store.createRun({ name: "Second", manifest });
    expect(b.id).toMatch(/^run-/);
    const changed = await store.updateRun("a", {
      generation: 3,
      global_step: 300,
      best_fitness: -5,
      name: "Renamed",
    });
    expect(changed).toMatchObject({ name: "Renamed", state: "running", generation: 3, best_fitness: -5 });
    expect(await store.getRun("a")).toEqual(changed);
    expect((await store.listRuns()).map(({ id }) => id).sort()).toEqual(["a", b.id].sort());
    expect((await store.readManifest("a")).manifest).toEqual(manifest);
  });

  it("has an id that can be a directory, and only one of each", async () => {
    const store = new RunStore(newParts());
    await store.createRun({ id: "a", name: "First", manifest });
    await expect(store.createRun({ id: "a", name: "Again", manifest })).rejects.toThrow(/id exists/);
    expect((await store.getRun("a"))?.name).toBe("First");
    for (const id of ["../a", "a/b", "", "."]) {
      await expect(store.createRun({ id, name: "x", manifest })).rejects.toMatchObject({ code: "io" });
    }
  });

  it("keeps its lock when another is to be made under its id", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "First", manifest });
    await expect(store.createRun({ id: "a", name: "Again", manifest })).rejects.toThrow(/id exists/);
    await expect(new RunStore(parts).acquireRun("a")).rejects.toMatchObject({ code: "locked" });
  });

  it("takes a fitness that is not finite for none, and refuses other such numbers", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.updateRun("a", { best_fitness: Number.NEGATIVE_INFINITY, generation: 2 });
    await expect(store.updateRun("a", { generation: Number.NaN })).rejects.toThrow(/generation/);
    const again = restarted(parts, memoryRunIndex());
    await again.recover();
    expect(await again.getRun("a")).toMatchObject({ best_fitness: null, generation: 2 });
  });

  it("has a log", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.appendLog("a", [{ type: "generation" }, { type: "lineage" }]);
    await store.updateRun("a", { generation: 1 });
    await Promise.all([1, 2, 3].map((n) => store.appendLog("a", [{ type: `parallel${n}` }])));
    const { events, problems } = await store.readLog("a");
    expect(events.map(({ event }) => event.type)).toEqual([
      "generation",
      "lineage",
      "parallel1",
      "parallel2",
      "parallel3",
    ]);
    expect(problems).toEqual([]);
    await expect(store.appendLog("a", [{ type: "run" }])).rejects.toThrow(/use updateRun/);
  });

  it("keeps its last two checkpoints and the best", async () => {
    const store = new RunStore(newParts());
    await store.createRun({ id: "a", name: "A", manifest });
    for (const [generation, fitness] of [1, 9, 3, 2, 4].entries()) {
      await store.saveCheckpoint("a", filesOf(`G${generation}`), metaOf(generation, fitness));
    }
    const kept = (await store.listCheckpoints("a")).map(({ commit }) => commit.generation);
    expect(kept).toEqual([1, 3, 4]);
    const latest = await store.latestCheckpoint("a");
    expect(latest?.files).toEqual(filesOf("G4"));
    expect(latest?.skipped).toEqual([]);
    expect((await store.getRun("a"))?.checkpoint).toMatchObject({ generation: 4, global_step: 400 });
  });

  it("falls back to an earlier checkpoint when the newest is damaged, and says so", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.saveCheckpoint("a", filesOf("G1"), metaOf(1));
    const { dir } = await store.saveCheckpoint("a", filesOf("G2"), metaOf(2));
    await parts.files.write(`${dir}/member_0.safetensors`, strToU8("XX member"));
    const latest = await store.latestCheckpoint("a");
    expect(latest?.files).toEqual(filesOf("G1"));
    expect(latest?.skipped).toEqual([expect.stringMatching(/SHA-256 differs/)]);
  });

  it("goes on when there is no room for a checkpoint, with the earlier one", async () => {
    const parts = newParts(4000);
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.saveCheckpoint("a", filesOf("G1"), metaOf(1));
    const large = new Map([["member_0.safetensors", new Uint8Array(3900)]]);
    await expect(store.saveCheckpoint("a", large, metaOf(2))).rejects.toMatchObject({ code: "full" });
    expect((await store.latestCheckpoint("a"))?.files).toEqual(filesOf("G1"));
    await store.saveCheckpoint("a", filesOf("G3"), metaOf(3));
    expect((await store.getRun("a"))?.checkpoint?.generation).toBe(3);
  });

  it("is deleted whole", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.saveCheckpoint("a", filesOf("G1"), metaOf(1));
    await store.deleteRun("a");
    expect(await store.listRuns()).toEqual([]);
    expect(await parts.files.list("/v1/runs")).toEqual([]);
    await expect(store.readManifest("a")).rejects.toMatchObject({ code: "not_found" });
    await store.createRun({ id: "a", name: "A again", manifest });
  });
});

describe("two tabs", () => {
  it("cannot change the same run, but can read it", async () => {
    const parts = newParts();
    const [one, two] = [new RunStore(parts), new RunStore(parts)];
    await one.createRun({ id: "a", name: "A", manifest });
    await one.saveCheckpoint("a", filesOf("G1"), metaOf(1));
    for (const attempt of [
      () => two.updateRun("a", { state: "stopped" }),
      () => two.acquireRun("a"),
      () => two.deleteRun("a"),
      () => two.appendLog("a", [{ type: "x" }]),
      () => two.saveCheckpoint("a", filesOf("G2"), metaOf(2)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "locked" });
    }
    expect(await two.recover()).toEqual({ interrupted: [], messages: [] });
    expect((await two.getRun("a"))?.state).toBe("running");
    expect((await two.latestCheckpoint("a"))?.files).toEqual(filesOf("G1"));

    await one.releaseRun("a");
    await two.acquireRun("a");
    await two.appendLog("a", [{ type: "two" }]);
    await two.releaseRun("a");
    await one.appendLog("a", [{ type: "one" }]);
    const { events, problems } = await two.readLog("a");
    expect([events.map(({ event }) => event.type), problems]).toEqual([["two", "one"], []]);
  });
});

describe("recover", () => {
  it("marks runs that were live as interrupted, others not, and says where they go on", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    for (const [id, state] of [
      ["running", "running"],
      ["paused", "paused"],
      ["finished", "finished"],
      ["failed", "failed"],
    ] as const) {
      await store.createRun({ id, name: id, manifest });
      await store.updateRun(id, { state, generation: 5 });
    }
    await store.saveCheckpoint("running", filesOf("G4"), metaOf(4));

    const again = restarted(parts);
    const report = await again.recover();
    expect(report.interrupted.map(({ id }) => id).sort()).toEqual(["paused", "running"]);
    expect(report.messages).toContain('Run "running": interrupted; resume it from generation 4.');
    expect(report.messages.join()).toMatch(/"paused": interrupted; it had saved no checkpoint yet/);
    const states = (await again.listRuns()).map(({ id, state }) => `${id} ${state}`).sort();
    expect(states).toEqual([
      "failed failed",
      "finished finished",
      "paused interrupted",
      "running interrupted",
    ]);
    expect(await again.recover()).toEqual({ interrupted: [], messages: [] });
  });

  it("rebuilds a lost index from the files", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.updateRun("a", { generation: 7, global_step: 700, best_fitness: 12.5, name: "Mine" });
    await store.saveCheckpoint("a", filesOf("G7"), metaOf(7));
    await store.updateRun("a", { state: "finished" });
    const before = await store.getRun("a");

    const again = restarted(parts, memoryRunIndex());
    await again.recover();
    expect(await again.getRun("a")).toEqual(before);
  });

  it("drops rows whose files are gone", async () => {
    const parts = newParts();
    await new RunStore(parts).createRun({ id: "a", name: "A", manifest });
    await parts.files.remove("/v1");
    const again = restarted(parts);
    expect((await again.recover()).messages).toEqual([
      expect.stringMatching(/files of the run "A" are gone/),
    ]);
    expect(await again.listRuns()).toEqual([]);
  });

  it("reports a run it cannot read, keeps it and recovers the others", async () => {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "bad", name: "Bad", manifest });
    await store.createRun({ id: "newer", name: "Newer", manifest });
    await store.createRun({ id: "good", name: "Good", manifest });
    await parts.files.write("/v1/runs/bad/manifest.json", strToU8("{"));
    const text = new TextDecoder().decode(await parts.files.read("/v1/runs/newer/manifest.json"));
    await parts.files.write(
      "/v1/runs/newer/manifest.json",
      strToU8(text.replace('"version": 1', '"version": 2')),
    );
    const report = await restarted(parts).recover();
    expect(report.interrupted.map(({ id }) => id)).toEqual(["good"]);
    expect(report.messages.join("\n")).toMatch(/run bad could not be recovered/);
    expect(report.messages.join("\n")).toMatch(/format version 2, this rlkit reads version 1/);
    expect((await parts.files.list("/v1/runs")).map(({ name }) => name)).toEqual(["bad", "good", "newer"]);
  });

  it("removes a run whose creation was cut off, with what there is of it", async () => {
    const parts = newParts();
    await parts.files.write("/v1/runs/half/manifest.json", strToU8('{"format":'));
    await parts.files.write("/v1/runs/import/ck/1/member_0.safetensors", strToU8("x"));
    const report = await restarted(parts).recover();
    expect(report.messages).toHaveLength(2);
    expect(report.messages.join()).toMatch(
      /interrupted \(half\) was removed.*interrupted \(import\) was removed/,
    );
    expect(await parts.files.list("/v1/runs")).toEqual([]);
  });

  describe("of a run whose manifest alone is missing", () => {
    const source = {
      file: "member_0.safetensors",
      read: (bytes: Uint8Array) => {
        const text = new TextDecoder().decode(bytes);
        return text === "G2 member" ? null : { name: "Made anew", manifest: { from: text } };
      },
    };
    async function lost(): Promise<Parts> {
      const parts = newParts();
      const store = new RunStore(parts);
      await store.createRun({ id: "a", name: "A", manifest });
      await store.appendLog("a", [{ type: "generation" }]);
      for (const generation of [1, 2]) {
        await store.saveCheckpoint("a", filesOf(`G${generation}`), metaOf(generation));
      }
      await parts.files.remove("/v1/runs/a/manifest.json");
      return parts;
    }

    it("makes it anew from the newest checkpoint that can tell, and keeps all else", async () => {
      const parts = await lost();
      const again = restarted(parts);
      const { interrupted, messages } = await again.recover(source);
      expect(messages[0]).toMatch(
        /^Run "A": its manifest.json was missing and was restored from checkpoint 000001-/,
      );
      expect(interrupted).toMatchObject([
        { id: "a", name: "A", state: "interrupted", checkpoint: { generation: 2 } },
      ]);
      expect((await again.readManifest("a")).manifest).toEqual({ from: "G1 member" });
      expect((await again.latestCheckpoint("a"))?.files).toEqual(filesOf("G2"));
      expect((await again.readLog("a")).events).toHaveLength(1);
      expect(await restarted(parts).recover(source)).toEqual({ interrupted: [], messages: [] });

      const nameless = await lost();
      const anew = restarted(nameless, memoryRunIndex());
      await anew.recover(source);
      expect(await anew.getRun("a")).toMatchObject({ name: "Made anew", checkpoint: { generation: 2 } });
    });

    it("lists it with its checkpoints and says what is missing where none can tell", async () => {
      const parts = await lost();
      const again = restarted(parts);
      const { messages } = await again.recover({ ...source, read: () => null });
      expect(messages[0]).toBe(
        'Run "A": its manifest.json is missing and no checkpoint says what was in it, so it cannot be opened or ' +
          "resumed. Its 2 checkpoint(s) in /v1/runs/a/ck and its log are kept until you delete the run.",
      );
      expect(await again.listRuns()).toMatchObject([
        { id: "a", state: "interrupted", checkpoint: { generation: 2 } },
      ]);
      expect((await again.latestCheckpoint("a"))?.files).toEqual(filesOf("G2"));
      await again.deleteRun("a");
      expect(await parts.files.list("/v1/runs")).toEqual([]);
    });

    it("removes it when its deletion or its import was cut off", async () => {
      const parts = await lost();
      await parts.files.write("/v1/runs/a/UNFINISHED", new Uint8Array(0));
      expect((await restarted(parts).recover(source)).messages).toEqual([
        expect.stringMatching(/interrupted \(a\) was removed/),
      ]);
      expect(await parts.files.list("/v1/runs")).toEqual([]);
    });
  });

  it("works on a full disk", async () => {
    const parts = newParts(1200);
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    const used = (await parts.files.estimate())?.used ?? 0;
    await parts.files.write("filler", new Uint8Array(1200 - used));
    const again = restarted(parts);
    const report = await again.recover();
    expect(report.interrupted).toHaveLength(1);
    expect(report.messages.join()).toMatch(/no room/);
    expect((await again.getRun("a"))?.state).toBe("interrupted");
  });
});

describe("exportRun and importRun", () => {
  async function exported(): Promise<{ parts: Parts; store: RunStore; zip: Uint8Array }> {
    const parts = newParts();
    const store = new RunStore(parts);
    await store.createRun({ id: "a", name: "A", manifest });
    await store.appendLog("a", [{ type: "generation" }]);
    await store.saveCheckpoint("a", filesOf("G1"), metaOf(1, 5));
    await store.saveCheckpoint("a", filesOf("G2"), metaOf(2, 4));
    return { parts, store, zip: await store.exportRun("a") };
  }

  it("bring a run into another store, interrupted if it was live", async () => {
    const { store, zip } = await exported();
    const parts = newParts();
    const other = new RunStore(parts);
    const record = await other.importRun(zip);
    expect(record).toMatchObject({ id: "a", name: "A", state: "interrupted", checkpoint: { generation: 2 } });
    expect((await other.readLog("a")).events).toEqual((await store.readLog("a")).events);
    expect((await other.latestCheckpoint("a"))?.files).toEqual(filesOf("G2"));
    expect((await other.listCheckpoints("a")).map(({ commit }) => commit.generation)).toEqual([1, 2]);
    expect(await restarted(parts).recover()).toEqual({ interrupted: [], messages: [] });
  });

  it("give a taken id a new one and leave the run that has it", async () => {
    const { store, zip } = await exported();
    const record = await store.importRun(zip);
    expect(record.id).not.toBe("a");
    expect((await store.readManifest(record.id)).id).toBe(record.id);
    expect((await store.listRuns()).map(({ state }) => state).sort()).toEqual(["interrupted", "running"]);
  });

  it("twice at once make two runs", async () => {
    const { zip } = await exported();
    const other = new RunStore(newParts());
    const records = await Promise.all([other.importRun(zip), other.importRun(zip)]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    for (const { id } of records) expect((await other.latestCheckpoint(id))?.files).toEqual(filesOf("G2"));
  });

  it("leave damaged checkpoints out", async () => {
    const { parts, store } = await exported();
    const newest = (await store.listCheckpoints("a")).at(-1);
    await parts.files.write(`${newest?.dir}/member_0.safetensors`, strToU8("short"));
    const other = new RunStore(newParts());
    await other.importRun(await store.exportRun("a"));
    expect((await other.latestCheckpoint("a"))?.files).toEqual(filesOf("G1"));
  });

  type Entries = Record<string, Uint8Array>;
  const relisted = async (entries: Entries): Promise<Entries> => {
    const files = await Promise.all(
      Object.entries(entries)
        .filter(([path]) => path !== "export.json")
        .map(async ([path, bytes]) => ({ path, size: bytes.byteLength, sha256: await sha256Hex(bytes) })),
    );
    return {
      ...entries,
      "export.json": strToU8(JSON.stringify({ format: "rlkit.export", version: 1, files })),
    };
  };
  const replaced = (entries: Entries, pattern: RegExp, content: string): Entries =>
    Object.fromEntries(
      Object.entries(entries).map(([path, bytes]) => [path, pattern.test(path) ? strToU8(content) : bytes]),
    );
  const without = (entries: Entries, pattern: RegExp): Entries =>
    Object.fromEntries(Object.entries(entries).filter(([path]) => !pattern.test(path)));

  const tampered: [string, (entries: Entries) => Entries | Promise<Entries>, string, RegExp][] = [
    [
      "leads out of its directory",
      (e) => ({ ...e, "../evil": strToU8("x") }),
      "corrupt",
      /path "\.\.\/evil"/,
    ],
    ["has an absolute path", (e) => ({ ...e, "/etc/x": strToU8("x") }), "corrupt", /path "\/etc\/x"/],
    ["climbs out within ck", (e) => ({ ...e, "ck/../../x": strToU8("x") }), "corrupt", /which no export has/],
    ["has a backslash", (e) => ({ ...e, "ck\\..\\x": strToU8("x") }), "corrupt", /which no export has/],
    ["has a file not listed", (e) => ({ ...e, "ck/x/y": strToU8("x") }), "corrupt", /not in its list/],
    ["lacks a listed file", (e) => without(e, /segment_0/), "corrupt", /lacks the file ck/],
    ["has a changed file", (e) => replaced(e, /member_0/, "G9 member"), "corrupt", /corrupt file ck/],
    ["has a short file", (e) => replaced(e, /member_0/, "x"), "corrupt", /1 bytes of ck/],
    ["has no list", (e) => without(e, /export/), "corrupt", /not an exported run/],
    ["has a broken list", (e) => replaced(e, /export/, "{"), "corrupt", /not valid JSON/],
    [
      "has another version",
      (e) => replaced(e, /export/, '{"format":"rlkit.export","version":9,"files":[]}'),
      "version",
      /version 9/,
    ],
    ["has no manifest", (e) => relisted(without(e, /manifest/)), "corrupt", /lacks the file manifest/],
    ["has a wrong manifest", (e) => relisted(replaced(e, /manifest/, "{}")), "corrupt", /manifest\.json/],
    [
      "has a damaged log",
      (e) => relisted(replaced(e, /\.seg$/, "not a frame at all")),
      "corrupt",
      /damaged log/,
    ],
    [
      "has an uncommitted checkpoint",
      (e) => relisted(without(e, /COMMIT/)),
      "corrupt",
      /interrupted before the commit/,
    ],
    [
      "has a checkpoint changed together with its list",
      (e) => relisted(replaced(e, /member_0/, "G9 member")),
      "corrupt",
      /SHA-256/,
    ],
  ];
  it.each(tampered)("refuse a file that %s, and change nothing", async (_, tamper, code, message) => {
    const { zip } = await exported();
    const parts = newParts();
    const other = new RunStore(parts);
    const changed = zipSync(await tamper(unzipSync(zip)));
    await expect(other.importRun(changed)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(await parts.files.list("/")).toEqual([]);
    expect(await other.listRuns()).toEqual([]);
  });

  it("refuse what is no zip, and what does not fit", async () => {
    const { zip } = await exported();
    const other = new RunStore(newParts(500));
    await expect(other.importRun(strToU8("not a zip"))).rejects.toMatchObject({ code: "corrupt" });
    await expect(other.importRun(zip.subarray(0, zip.byteLength >> 1))).rejects.toMatchObject({
      code: "corrupt",
    });
    await expect(other.importRun(zip)).rejects.toMatchObject({ code: "full" });
  });
});

describe("a fault at every operation of a run's life", () => {
  it.each(FAULTS)("%s while a run is imported: it is there whole, or not at all", async (fault) => {
    const made = new RunStore(newParts());
    await made.createRun({ id: "a", name: "A", manifest });
    await made.saveCheckpoint("a", filesOf("G1"), metaOf(1));
    const zip = await made.exportRun("a");
    for (let at = 0; ; at++) {
      const parts = newParts();
      const files = faultyFileStore(parts.files, { at, fault });
      const imported = await new RunStore({ ...parts, files }).importRun(zip).then(
        () => true,
        () => false,
      );
      const again = restarted(parts);
      await again.recover();
      const listed = (await again.getRun("a")) !== null;
      const latest = await again.latestCheckpoint("a");
      // A file that the platform truncated silently is detected when the checkpoint is read.
      expect(fault === "short" || (latest !== null) === listed, `fault at ${at}`).toBe(true);
      expect(latest?.files ?? filesOf("G1")).toEqual(filesOf("G1"));
      expect(listed || !imported, `fault at ${at}`).toBe(true);
      expect((await parts.files.list("/v1/runs")).length > 0).toBe(listed);
      if (files.operations <= at) break;
    }
  });

  it.each(FAULTS)("%s: the run comes back with a checkpoint that was saved, whole", async (fault) => {
    for (let at = 0; ; at++) {
      const parts = newParts();
      const files = faultyFileStore(parts.files, { at, fault });
      const store = new RunStore({ ...parts, files });
      let saved = 0;
      let created = false;
      try {
        await store.createRun({ id: "a", name: "A", manifest });
        created = true;
        for (let generation = 1; generation <= 4; generation++) {
          await store.appendLog("a", [{ type: "generation" }]);
          await store.saveCheckpoint("a", filesOf(`G${generation}`), metaOf(generation, -generation));
          saved = generation;
        }
        await store.updateRun("a", { state: "finished" });
      } catch (error) {
        if (!(error instanceof SimulatedCrash || error instanceof StorageError)) throw error;
      }

      const again = restarted(parts);
      await again.recover();
      const record = await again.getRun("a");
      const latest = await again.latestCheckpoint("a");
      const generation = latest?.commit.generation ?? 0;
      expect(record !== null || !created, `run kept, fault at ${at}`).toBe(true);
      expect([saved, saved + 1], `newest checkpoint, fault at ${at}`).toContain(generation);
      expect(latest?.files ?? filesOf("G0")).toEqual(filesOf(`G${generation}`));
      expect(["finished", "interrupted", "stopped", undefined]).toContain(record?.state);
      expect(record?.checkpoint?.generation ?? 0).toBe(generation);
      expect((await again.recover()).messages.filter((message) => /dropped|cut off/.test(message))).toEqual(
        [],
      );
      if (files.operations <= at) break;
    }
  });

  it.each(FAULTS)("%s while a run is deleted: it is there whole, or gone", async (fault) => {
    for (let at = 0; ; at++) {
      const parts = newParts();
      const made = new RunStore(parts);
      await made.createRun({ id: "a", name: "A", manifest });
      await made.saveCheckpoint("a", filesOf("G1"), metaOf(1));
      await made.releaseRun("a");
      const files = faultyFileStore(parts.files, { at, fault });
      await new RunStore({ ...parts, files, locks: memoryRunLocks() }).deleteRun("a").catch(() => undefined);

      const again = restarted(parts);
      await again.recover();
      const found = [await again.getRun("a"), await again.latestCheckpoint("a")].map((part) => part !== null);
      expect([`${[true, true]}`, `${[false, false]}`], `fault at ${at}`).toContain(`${found}`);
      expect((await parts.files.list("/v1/runs")).length > 0).toBe(found[0]);
      if (files.operations <= at) break;
    }
  });
});
