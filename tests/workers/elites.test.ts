/** Elites of runs that end early, are resumed, have no fitness, or come from elsewhere. */

import { strToU8, unzipSync, zipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { EliteDirectory } from "../../src/storage/checkpoints.ts";
import { encodeSafetensors, memoryFileStore, memoryRunIndex, sha256Hex } from "../../src/storage/index.ts";
import { decodeKeptAgent } from "../../src/training/files.ts";
import { EliteFiles } from "../../src/training/loop.ts";
import { reinforcementLearning } from "../../src/training/workloads.ts";
import { agentOf } from "../rl/support/agents.ts";
import { tinyDqn } from "./support/manifests.ts";
import { mortalFiles } from "./support/mortalFiles.ts";
import { TestWorkbench } from "./support/workbench.ts";

const SEED = 3;
const open: TestWorkbench[] = [];

async function workbench(...options: ConstructorParameters<typeof TestWorkbench>): Promise<TestWorkbench> {
  const bench = new TestWorkbench(...options);
  open.push(bench);
  return bench.open();
}

/** What is kept of a run's elites. */
async function elitesOf({ coordinator, store }: TestWorkbench, id: string) {
  const kept = [];
  for (const { generation } of await store.fame.list(id)) {
    const file = await coordinator.eliteAt(id, generation);
    kept.push(file && { generation: file.generation, agent: decodeKeptAgent(file.bytes).agent });
  }
  return kept;
}

describe("elites", () => {
  afterEach(() => {
    for (const bench of open.splice(0)) bench.close();
  });

  it("of a run that was killed and resumed are those of one that was not", async () => {
    const manifest = tinyDqn({ max_steps: 1280 });
    const calm = await workbench();
    const expected = await elitesOf(calm, await calm.trainToEnd(manifest, SEED));
    expect(expected).toHaveLength(10);

    const files = memoryFileStore();
    const mortal = mortalFiles(files);
    const first = await workbench({ files: mortal });
    const id = await first.coordinator.start(manifest, { seed: SEED });
    await first.until((event) => event.kind === "generation" && event.report.generation === 6);
    mortal.kill();
    first.close();
    const next = await workbench({ files });
    await next.coordinator.resume(id);
    expect(await next.nextState(id, "finished", "failed")).toBe("finished");
    expect(await elitesOf(next, id)).toEqual(expected);
    const used = new Set(
      (await EliteDirectory.read(files, `/v1/runs/${id}/elites`)).entries.map((e) => e.sha256),
    );
    expect(await files.list(`/v1/runs/${id}/elites`)).toHaveLength(used.size + 1);
  });

  it("are kept of one generation and one member, and count to the run's bytes", async () => {
    const bench = await workbench();
    const manifest = tinyDqn({ pop_size: 1, max_steps: 128 });
    const { mutation: _, selection_strategy: __, ...alone } = manifest;
    const id = await bench.trainToEnd(alone, SEED);
    expect((await elitesOf(bench, id)).map((kept) => kept?.generation)).toEqual([1]);
    const [of] = (await bench.coordinator.storage()).runs;
    const size = (await bench.store.fame.list(id)).length;
    expect(size).toBe(1);
    expect(of?.bytes.elites).toBeGreaterThan(500);
  });

  it("follow the storage policy", async () => {
    const bench = await workbench();
    await bench.coordinator.setPolicy({ keep_last: 2, keep_best: true, elite_bytes: 0, population_bytes: 0 });
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    expect(await bench.coordinator.eliteAt(id, 1)).toBeNull();
    expect((await bench.coordinator.players(id, 1)).length).toBeGreaterThan(0);
  });

  it("of hostile archives are refused, whatever their list says", async () => {
    const bench = await workbench();
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const { bytes } = await bench.coordinator.exportRun(id);
    const altered = async (change: (entries: Record<string, Uint8Array>, elite: string) => void) => {
      const entries: Record<string, Uint8Array> = { ...unzipSync(bytes) };
      const elite = Object.keys(entries).find((path) => /^elites\/[0-9a-f]{64}/.test(path)) ?? "";
      expect(elite).not.toBe("");
      change(entries, elite);
      const files = [];
      for (const [path, content] of Object.entries(entries))
        if (path !== "export.json")
          files.push({ path, size: content.byteLength, sha256: await sha256Hex(content) });
      entries["export.json"] = strToU8(JSON.stringify({ format: "rlkit.export", version: 1, files }));
      return zipSync(entries);
    };
    const refusals: [RegExp, (entries: Record<string, Uint8Array>, elite: string) => void][] = [
      [/is missing/, (entries, elite) => void delete entries[elite]],
      [/its entry says/, (entries, elite) => void (entries[elite] = strToU8("short"))],
      [
        /was changed since/,
        (entries, elite) => {
          const other = entries[elite]?.slice() ?? new Uint8Array();
          other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
          entries[elite] = other;
        },
      ],
      [
        /belongs to no elite/,
        (entries) => void (entries[`elites/${"a".repeat(64)}.safetensors`] = strToU8("x")),
      ],
      [/elites\/\.\.\/x|not|path/i, (entries) => void (entries["elites/x.txt"] = strToU8("x"))],
    ];
    for (const [why, change] of refusals) {
      const other = await workbench();
      await expect(other.coordinator.importRun(await altered(change))).rejects.toThrow(why);
      expect(await other.coordinator.listRuns()).toEqual([]);
    }
    const whole = await workbench();
    const imported = await whole.coordinator.importRun(await altered(() => undefined));
    expect(await elitesOf(whole, imported)).toEqual(await elitesOf(bench, id));
  });

  it("of an earlier version's run are those of its hall of fame", async () => {
    const files = memoryFileStore();
    const index = memoryRunIndex();
    const bench = await workbench({ files, index });
    const id = await bench.trainToEnd(tinyDqn(), SEED);
    const kept = await bench.store.fame.read(id, 2);
    await files.remove(`/v1/runs/${id}/elites`);
    const again = await workbench({ files, index });
    expect(await again.coordinator.eliteAt(id, 2)).toBeNull();
    expect((await again.coordinator.players(id, 2)).length).toBeGreaterThan(0);
    expect(kept.policy.byteLength).toBeGreaterThan(0);
  });
});

describe("the file of an elite", () => {
  const agent = agentOf({ name: "DQN" });
  const { files } = reinforcementLearning;
  const boundary = (fitness: number | null) => ({ generation: 1, global_step: 10, fitness });

  it("is the same for the same policy, and has no fitness that is no number", () => {
    const warnings: string[] = [];
    const elites = new EliteFiles(files, {}, (message) => void warnings.push(message));
    const one = elites.encode({ ...agent, fitness: [1, 2, 3] }, boundary(3));
    const two = elites.encode({ ...agent, fitness: [2, 3] }, boundary(null));
    expect(one?.policy).toEqual(two?.policy);
    expect([one?.fitness, two?.fitness]).toEqual([3, null]);
    const whole = files.encodeAgent(agent, {});
    expect(one?.policy.byteLength).toBeLessThan(whole.byteLength);
    expect(warnings).toEqual([]);
  });

  it("is too large only once, which is said", () => {
    const warnings: string[] = [];
    const large = {
      encodeAgent: () =>
        encodeSafetensors([["weight", { shape: [2100, 1000], data: new Float32Array(2.1e6) }]]),
    };
    const elites = new EliteFiles(large, {}, (message) => void warnings.push(message));
    expect([elites.encode(agent, boundary(1)), elites.encode(agent, boundary(1))]).toEqual([null, null]);
    expect(warnings).toEqual([expect.stringMatching(/a policy takes \d+\.\d MB, allowed 4\.0 MB/)]);
  });
});
