/** rlkit remote: submit, list, watch, stop, resume, pull. */
import { zipSync } from "fflate";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { commitCheckpoint, memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { ACCEPTED, type Answer, KEY, type Platform, TAKEN, withPlatform } from "../remote/platform.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest } from "./support.ts";

beforeEach(() => {
  vi.stubEnv("RLKIT_API_KEY", KEY);
});

/** Runs `work` with a platform that gives these answers. */
async function onPlatform(
  answer: (route: string, count: number) => Answer,
  work: (platform: Platform) => Promise<void>,
): Promise<void> {
  await withPlatform(async (platform) => {
    vi.stubEnv("RLKIT_BASE_URL", platform.base_url);
    platform.answer(({ route }, count) => answer(route, count));
    await work(platform);
  });
}

const block = (seq: number | null, event: string, data: object): string =>
  `${seq === null ? "" : `id: ${seq}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const events = (...blocks: readonly string[]): Answer => ({
  headers: { "Content-Type": "text/event-stream" },
  body: `retry: 0\n\n${blocks.join("")}`,
  after: "open",
});
const GENERATION = block(1, "generation", { generation: 1, global_step: 4000, fitnesses: [9.5, null] });

describe("rlkit remote", () => {
  it("lists its commands, explains each, and knows no other", async () => {
    for (const args of [
      ["remote", "--help"],
      ["help", "remote"],
    ]) {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      for (const name of ["submit", "list", "watch", "stop", "resume", "pull"])
        expect(stdout).toContain(`rlkit remote ${name}`);
      expect(stdout).not.toContain("rlkit train MANIFEST");
    }
    for (const args of [
      ["remote", "submit", "--help"],
      ["help", "remote", "submit"],
    ])
      expect((await runCli(args)).stdout).toMatch(/^ {2}--reward-file FILE/m);
    expect(await runCli(["remote", "stpo"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('remote: found "stpo", allowed submit, list, watch, stop'),
    });
    expect((await runCli(["remote"])).stderr).toContain("remote: found nothing");
  });

  it("sends nothing without a key, and nowhere to an address that is none", async () => {
    await onPlatform(
      () => ({}),
      async ({ asked }) => {
        vi.stubEnv("RLKIT_API_KEY", "");
        const { code, stderr } = await runCli(["remote", "list", "poles"]);
        expect([code, stderr]).toEqual([1, expect.stringContaining("set RLKIT_API_KEY")]);
        expect(asked).toEqual([]);
        expect((await runCli(["remote", "list", "poles", "--url", "nowhere"])).code).toBe(2);
      },
    );
  });
});

describe("rlkit remote submit", () => {
  it("submits a manifest, and prints the experiment's name", async () => {
    await onPlatform(
      () => ACCEPTED,
      async ({ asked }) => {
        const store = await storeWithManifest();
        const given = ["--name", "poles-1", "--project", "poles", "--resource", "cpu-4", "--nodes", "2"];
        const { code, stdout, stderr } = await runCli(["remote", "submit", "m.json", ...given], { store });
        expect([code, stdout]).toEqual([0, "poles-1\n"]);
        expect(stderr).toContain("queued: in the queue");
        expect(asked[0]?.json).toMatchObject({
          experiment_name: "poles-1",
          project: "poles",
          resource_id: "cpu-4",
          num_nodes: 2,
          manifest: { algorithm: { name: "DQN" }, training: { max_steps: 600 } },
        });
      },
    );
  });

  it("watches the run with --watch, in lines of JSON with --json", async () => {
    await onPlatform(
      (route) => (route.startsWith("POST") ? ACCEPTED : events(block(1, "state", { state: "finished" }))),
      async () => {
        const store = await storeWithManifest();
        const { code, stdout } = await runCli(["remote", "submit", "m.json", "--watch", "--json"], { store });
        expect(code).toBe(0);
        expect(eventsOf(stdout)).toMatchObject([
          { event: "status", status: "validating" },
          { event: "status", status: "queued" },
          { event: "status", status: "completed" },
          { event: "submitted", ...TAKEN },
          { event: "state", seq: 1, data: { state: "finished" } },
        ]);
      },
    );
  });

  it("names the file that is not right, and what the platform refuses", async () => {
    await onPlatform(
      () => ({ status: 409, body: '{"message":"the name is taken"}' }),
      async ({ asked }) => {
        const wrong = await storeWithManifest(tinyManifest({ max_stpes: 5 }));
        expect(await runCli(["remote", "submit", "m.json"], { store: wrong })).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("m.json: Invalid manifest: training.max_stpes"),
        });
        expect((await runCli(["remote", "submit", "none.yaml"])).code).toBe(2);
        const reward = ["--reward-file", "/nowhere/reward.py"];
        const store = await storeWithManifest();
        expect((await runCli(["remote", "submit", "m.json", ...reward], { store })).code).toBe(2);
        expect(asked).toEqual([]);
        const { code, stdout, stderr } = await runCli(["remote", "submit", "m.json", "--json"], { store });
        expect([code, stderr]).toEqual([1, "rlkit: Submission failed (409): the name is taken\n"]);
        expect(eventsOf(stdout)).toEqual([
          { event: "error", message: "Submission failed (409): the name is taken" },
        ]);
      },
    );
  });
});

describe("rlkit remote watch", () => {
  it("shows a line for each event but progress", async () => {
    await onPlatform(
      () =>
        events(
          GENERATION,
          block(2, "warning", { message: "the disk is full" }),
          block(null, "progress", { generation: 2, global_step: 5_000 }),
          block(3, "checkpoint", { generation: 1, global_step: 4_000 }),
          block(4, "other", { a: 1 }),
          block(5, "state", { state: "failed", reason: "diverged" }),
        ),
      async ({ asked }) => {
        const { code, stdout } = await runCli(["remote", "watch", "poles-1", "--after", "0"]);
        expect(code).toBe(1);
        expect(stdout).toBe(
          'generation 1: 4_000 steps, best fitness 9.5000\nwarning: the disk is full\ncheckpoint of generation 1\nother {"a":1}\nfailed: diverged\n',
        );
        expect(asked[0]?.headers["last-event-id"]).toBe("0");
      },
    );
  });

  it("ends with Ctrl-C, and lets the run go on", async () => {
    await onPlatform(
      () => events(GENERATION),
      async () => {
        const interrupt = (stdout: string): boolean => stdout.includes("generation 1");
        const { code, stderr } = await runCli(["remote", "watch", "poles-1"], { interrupt });
        expect([code, stderr]).toEqual([130, expect.stringContaining("poles-1 continues")]);
      },
    );
  });

  it("says that a connection was lost", async () => {
    await onPlatform(
      (_, count) =>
        count === 1
          ? { ...events(GENERATION), after: "cut" }
          : events(GENERATION, block(2, "state", { state: "stopped" })),
      async () => {
        const { code, stdout, stderr } = await runCli(["remote", "watch", "poles-1", "--json"]);
        expect(code).toBe(0);
        expect(eventsOf(stdout).map(({ seq }) => seq)).toEqual([1, 2]);
        expect(stderr).toContain("reconnecting");
      },
    );
  });
});

describe("the other commands", () => {
  const ROWS = [
    { experiment_name: "poles-1", state: "running", generation: 12 },
    { experiment_name: "maze", state: "finished", generation: 3 },
  ];

  it("list", async () => {
    await onPlatform(
      (_, count) => ({ data: count === 3 ? [] : ROWS }),
      async ({ asked }) => {
        const text =
          "experiment_name  state     generation\npoles-1          running   12\nmaze             finished  3\n";
        expect((await runCli(["remote", "list", "poles"])).stdout).toBe(text);
        expect(eventsOf((await runCli(["remote", "list", "poles", "--json"])).stdout)).toEqual(ROWS);
        expect((await runCli(["remote", "list", "poles"])).stdout).toBe("no experiments\n");
        expect(asked[0]?.query.get("project")).toBe("poles");
      },
    );
  });

  it("stop and resume", async () => {
    await onPlatform(
      () => ({ data: { experiment_id: "e1" } }),
      async ({ asked }) => {
        expect((await runCli(["remote", "stop", "poles-1"])).code).toBe(0);
        const { stdout } = await runCli(["remote", "resume", "poles-1", "--max-steps", "9_000", "--json"]);
        expect(JSON.parse(stdout)).toEqual({ experiment_id: "e1" });
        expect(asked.map(({ json }) => json)).toEqual([
          { experiment_name: "poles-1" },
          { experiment_name: "poles-1", max_steps: 9000 },
        ]);
        expect((await runCli(["remote", "resume", "poles-1"])).code).toBe(2);
      },
    );
  });
});

describe("rlkit remote pull", () => {
  const ELITE = new Uint8Array([1, 2, 3]);
  const FILES = new Map([["run.json", new TextEncoder().encode("{}")]]);

  async function checkpointZip(change: (files: Record<string, Uint8Array>) => void = () => undefined) {
    const store = memoryFileStore();
    await commitCheckpoint(store, "c", FILES, { generation: 3, global_step: 30, spec_hash: "" });
    const entries: Record<string, Uint8Array> = {};
    for (const { name } of await store.list("c")) entries[name] = await store.read(`c/${name}`);
    change(entries);
    return zipSync(entries);
  }

  const served =
    (zip: Uint8Array, name: string) =>
    (route: string): Answer => {
      if (route.endsWith("elite.safetensors")) return { body: ELITE };
      return route.includes("/files/") ? { body: zip } : { data: [{ name, download_url: "/files/c.zip" }] };
    };

  it("writes the elite and the newest checkpoint, once", async () => {
    const store = memoryFileStore();
    await onPlatform(served(await checkpointZip(), "checkpoint-30"), async () => {
      const { code, stdout } = await runCli(["remote", "pull", "poles-1"], { store });
      expect([code, stdout]).toEqual([0, "poles-1/elite.safetensors\npoles-1/checkpoint-30\n"]);
      expect(await store.read("poles-1/elite.safetensors")).toEqual(ELITE);
      const { commit, files } = await readCheckpoint(store, "poles-1/checkpoint-30");
      expect([commit.generation, files]).toEqual([3, FILES]);
      expect((await runCli(["remote", "pull", "poles-1"], { store })).code).toBe(2);
      expect((await runCli(["remote", "pull", "a/b"], { store })).stderr).toContain("--out: ");
    });
  });

  it.each([
    [
      "a file that was changed",
      "c",
      (e: Record<string, Uint8Array>) => void (e["run.json"] = new Uint8Array(2)),
    ],
    ["a path that leads out", "c", (e: Record<string, Uint8Array>) => void (e["../x"] = ELITE)],
    ["no commit", "c", (e: Record<string, Uint8Array>) => void delete e["COMMIT.json"]],
    ["a name that leads out", "../c", () => undefined],
  ])("writes nothing for %s", async (_, name, change) => {
    const store = memoryFileStore();
    await onPlatform(served(await checkpointZip(change), name), async () => {
      expect((await runCli(["remote", "pull", "poles-1"], { store })).code).toBe(1);
      expect(await store.list("")).toEqual([]);
    });
  });

  it("writes nothing for what is no zip", async () => {
    const store = memoryFileStore();
    await onPlatform(served(ELITE, "c"), async () => {
      const { stderr } = await runCli(["remote", "pull", "poles-1"], { store });
      expect(stderr).toContain("c: is not a zip file");
      expect(await store.list("")).toEqual([]);
    });
  });
});
