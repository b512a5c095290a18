/** `rlkit train` over seeds and sweeps. */
import { describe, expect, it } from "vitest";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { eventsOf, runCli, tinyManifest, writeText } from "./support.ts";

const TINY = { pop_size: 1, hpo: false, max_steps: 400, evo_steps: 100 };

async function storeWith(sweep: object = {}, manifest = tinyManifest(TINY)): Promise<FileStore> {
  const store = memoryFileStore();
  await writeText(store, "m.json", manifest);
  await writeText(store, "lab/m.json", manifest);
  await writeText(store, "lab/sweep.json", JSON.stringify({ manifest: "m.json", ...sweep }));
  return store;
}

const textOf = async (store: FileStore, path: string): Promise<string> =>
  new TextDecoder().decode(await store.read(path));

/** The table without its seconds. */
const tableOf = async (store: FileStore): Promise<string[]> =>
  (await textOf(store, "out/results.csv"))
    .trimEnd()
    .split("\r\n")
    .map((line) => line.replace(/,[\d.]+,([^,]*)$/, ",$1"));

const SWEEP = { seeds: "1..2", sweep: { gamma: [0.5, 0.9] } };
const sweep = ["train", "--sweep", "lab/sweep.json", "--workers", "1", "--out", "out"];

describe("rlkit train --sweep", () => {
  it("trains every run into a folder of its own, prints tables and writes results.csv", async () => {
    const store = await storeWith(SWEEP);
    const { code, stdout } = await runCli(sweep, { store });
    expect(code).toBe(0);
    const folders = ["gamma=0.5,seed=1", "gamma=0.5,seed=2", "gamma=0.9,seed=1", "gamma=0.9,seed=2"];
    const listed = (await store.list("out")).filter(({ kind }) => kind === "directory");
    expect(listed.map(({ name }) => name).sort()).toEqual(folders);
    for (const folder of folders) expect(await store.exists(`out/${folder}/elite.safetensors`)).toBe(true);
    expect(await textOf(store, `out/${folders[1]}/manifest.yaml`)).toMatch(/gamma: 0\.5[^]*seed: 2/);
    const table = await tableOf(store);
    expect(table[0]).toBe("algorithm.gamma,seed,fitness,steps,seconds,error");
    expect(table).toHaveLength(5);
    expect(stdout).toContain("Run 3 of 4: gamma=0.9, seed=1");
    expect(stdout).toMatch(/\nsetting +n +mean +95 % interval\ngamma=0\.5 +2 +\d.* to .*\ngamma=0\.9 +2 /);
  });

  it("goes on where it was stopped: finished runs are skipped, the unfinished one ends with the same bits", async () => {
    const whole = await storeWith(SWEEP);
    expect((await runCli([...sweep, "--json"], { store: whole })).code).toBe(0);
    const store = await storeWith(SWEEP);
    const interrupt = (stdout: string): boolean =>
      eventsOf(stdout).filter(({ event }) => event === "generation").length === 6;
    const first = await runCli([...sweep, "--json"], { store, interrupt });
    expect(first.code).toBe(130);
    expect(first.stderr).toContain(
      "1 of 4 runs are finished. Go on with: rlkit train --sweep lab/sweep.json --out out",
    );
    const second = await runCli([...sweep, "--json"], { store });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain("Run 1 of 4: gamma=0.5, seed=1 is finished already");
    const generations = eventsOf(second.stdout).filter(({ event }) => event === "generation");
    // Two of the second run, and four of each of the others.
    expect(generations).toHaveLength(10);
    expect(await tableOf(store)).toEqual(await tableOf(whole));
    expect(eventsOf(second.stdout).at(-1)).toMatchObject({ event: "sweep", groups: [{ n: 2 }, { n: 2 }] });
  });

  it("says that a run failed, trains the others, and tries that one again", async () => {
    const store = await storeWith({ sweep: { "algorithm.lr": [1e30, 0.001] } });
    const { code, stdout, stderr } = await runCli(sweep, { store });
    expect(code).toBe(1);
    expect(stderr).toMatch(/rlkit: lr=1e\+30 failed: /);
    expect(stdout).toMatch(/lr=1e\+30 \(failed\)/);
    const table = await tableOf(store);
    expect(table[1]).toMatch(/^1e\+30,,,0,member 0: .* no longer a finite number/);
    expect(table[2]).toMatch(/^0\.001,,\d.*,400,$/);
    const again = await runCli(sweep, { store });
    expect(again.code).toBe(1);
    expect(again.stdout).toContain("lr=0.001 is finished already");
    expect(again.stdout).not.toContain("lr=1e+30 is finished already");
  });

  it("refuses a directory with a run of another manifest, and one with other files", async () => {
    const store = await storeWith(SWEEP);
    await runCli(sweep, { store });
    const before = await textOf(store, "out/results.csv");
    await writeText(store, "lab/m.json", tinyManifest({ ...TINY, max_steps: 500 }));
    const changed = await runCli(sweep, { store });
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain("out/gamma=0.5,seed=1 holds a run of another manifest");
    expect(await textOf(store, "out/results.csv")).toBe(before);
    await writeText(store, "other/gamma=0.9,seed=2/notes.txt", "mine");
    const other = await runCli([...sweep.slice(0, -1), "other"], { store });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("other/gamma=0.9,seed=2 holds files of something else");
  });
});

describe("rlkit train --seeds", () => {
  it("trains a manifest with each seed", async () => {
    const store = await storeWith();
    const { code } = await runCli(["train", "m.json", "--seeds", "4,7", "--workers", "1", "--out", "out"], {
      store,
    });
    expect(code).toBe(0);
    const table = await tableOf(store);
    expect(table.map((line) => line.split(",")[0])).toEqual(["seed", "4", "7"]);
    // Equal seeds give equal runs, with and without the option.
    const alone = await runCli(["train", "m.json", "--seed", "7", "--workers", "1", "--json", "--out", "x"], {
      store,
    });
    const end = eventsOf(alone.stdout).at(-1) as { fitnesses?: number[] };
    expect(Number(table[2]?.split(",")[1])).toBe(end.fitnesses?.[0]);
  });

  it.each([
    [["m.json", "--seeds", "ten"], /--seeds: found "ten"; allowed a range such as 1\.\.10/],
    [["m.json", "--seeds", "1..10000"], /--seeds: found 10000 runs; a sweep has at most 1000/],
    [
      ["m.json", "--seeds", "1..2", "--seed", "3"],
      /--seed: not allowed with --sweep or --seeds; give --seeds/,
    ],
    [["m.json", "--seeds", "1..2", "--resume", "out"], /--resume: not allowed .* finished runs are skipped/],
    [["m.json", "--seeds", "1..2", "--csv", "x.csv"], /--csv: not allowed .* results\.csv/],
    [["--seeds", "1..2"], /manifest: missing/],
    [[], /MANIFEST is missing; give a manifest's file, or a sweep's/],
    [["--sweep", "lab/nothing.json"], /nothing\.json/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await runCli(["train", ...args], { store: await storeWith(SWEEP) });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
  });
});
