import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFileStore, sha256Hex } from "../../src/storage/index.ts";
import { hostileArchive } from "../support/hostileArchives.ts";
import { tinyDqn } from "./support/manifests.ts";
import { TestWorkbench } from "./support/workbench.ts";

const FUZZED = 50;

/** "opened", or the message of a rejected import, which must leave nothing behind. */
async function openedOrRefused(zip: Uint8Array): Promise<string> {
  const { coordinator } = new TestWorkbench();
  let id: string;
  try {
    id = await coordinator.importRun(zip);
  } catch (error) {
    const left = await coordinator.listRuns();
    return error instanceof Error && left.length === 0 ? error.message : "";
  }
  await coordinator.snapshot(id);
  await coordinator.history(id, 1);
  await coordinator.agents(id);
  return "opened";
}

describe("an exported run", () => {
  const bench = new TestWorkbench();
  const { coordinator } = bench;
  let id = "";
  let zip = new Uint8Array();
  beforeAll(async () => {
    await bench.open();
    id = await bench.trainToEnd(tinyDqn(), 3);
    await coordinator.rename(id, "kept: a/b");
    await coordinator.setTags(id, ["tag"]);
    zip = (await coordinator.exportRun(id)).bytes;
  });
  afterAll(() => bench.close());

  it("is there whole in another browser, and goes on there", async () => {
    const file = await coordinator.exportRun(id);
    expect([file.name, file.type]).toEqual(["kept-a-b.rlkit.zip", "application/zip"]);
    const other = await new TestWorkbench().open();
    try {
      const imported = await other.coordinator.importRun(zip);
      expect(imported).toBe(id);
      expect(await other.outcome(imported)).toEqual(await bench.outcome(id));
      expect(await other.coordinator.history(imported, 1)).toEqual(await coordinator.history(id, 1));
      expect(await other.coordinator.agents(imported)).toEqual(await coordinator.agents(id));
      expect((await other.coordinator.snapshot(imported)).summary).toMatchObject({
        name: "kept: a/b",
        tags: ["tag"],
      });
      await other.coordinator.extend(imported, 768);
      expect(await other.nextState(imported, "finished", "failed")).toBe("finished");
    } finally {
      other.close();
    }
  });

  const withManifest = async (change: (stored: Record<string, never>) => unknown): Promise<Uint8Array> => {
    const entries = unzipSync(zip);
    const manifest = JSON.parse(strFromU8(entries["manifest.json"] ?? new Uint8Array()));
    entries["manifest.json"] = strToU8(JSON.stringify({ ...manifest, manifest: change(manifest.manifest) }));
    const files = [];
    for (const [path, bytes] of Object.entries(entries))
      if (path !== "export.json")
        files.push({ path, size: bytes.byteLength, sha256: await sha256Hex(bytes) });
    entries["export.json"] = strToU8(JSON.stringify({ format: "rlkit.export", version: 1, files }));
    return zipSync(entries);
  };

  it.each([
    [
      "a foreign environment",
      (stored: Record<string, object>) => ({
        ...stored,
        manifest: { ...stored.manifest, environment: { name: "Elsewhere-v9", num_envs: 2 } },
      }),
      "Elsewhere-v9",
    ],
    [
      "an unknown key",
      (stored: Record<string, object>) => ({ ...stored, manifest: { ...stored.manifest, evil: 1 } }),
      "evil",
    ],
    ["no start", () => ({ seed: 1 }), "readable manifest"],
  ])("with %s is refused by a sentence", async (_, change, message) => {
    const files = memoryFileStore();
    const other = await new TestWorkbench({ files }).open();
    try {
      const changed = await withManifest(change);
      await expect(other.coordinator.importRun(changed)).rejects.toThrow(/^The run was not imported: /);
      await expect(other.coordinator.importRun(changed)).rejects.toThrow(message);
      expect(await other.coordinator.listRuns()).toEqual([]);
    } finally {
      other.close();
    }
  });

  it("that unpacks to far more than it is, is refused before it is unpacked", async () => {
    const bomb = zipSync({ ...unzipSync(zip), "ck/x/y": new Uint8Array(70_000_000) }, { level: 1 });
    await expect(coordinator.importRun(bomb)).rejects.toThrow(/would unpack from \d+ to \d+ bytes/);
  });

  it("that was tampered with is refused by a sentence, or can be opened", async () => {
    const outcomes: string[] = [];
    for (let seed = 0; seed < FUZZED; seed++)
      outcomes.push(await openedOrRefused(await hostileArchive(zip, seed)));
    expect(outcomes.filter((outcome) => outcome !== "opened" && !/^\S.{20,}/s.test(outcome))).toEqual([]);
    const refused = outcomes.filter((outcome) => outcome !== "opened").length;
    expect(refused).toBeGreaterThan(FUZZED / 2);
  });
});
