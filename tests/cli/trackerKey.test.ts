/** A tracker's key leaves memory only in the Authorization header. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { FakeWandb, fakeServer } from "../tracking/fakeServer.ts";
import { runProcess } from "./runProcess.ts";
import { tinyManifest, writeText } from "./support.ts";

const KEY = "c0ffee12d3adb33f4c0ffee12d3adb33f4beefbe";
const BASIC = Buffer.from(`api:${KEY}`).toString("base64");
const isTold = (text: string): boolean => text.includes(KEY) || text.includes(BASIC);

/** The contents of every file below a directory, by path. */
async function filesBelow(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(dir, file), await readFile(file, "latin1")] as const),
    ),
  );
}

describe("rlkit train --wb", () => {
  it.each(["verbose", "--json"])("writes its key nowhere: %s", async (output) => {
    await withTemporaryDirectory(async (dir) => {
      const wandb = new FakeWandb();
      let failed = false;
      const server = await fakeServer((asked) => {
        if (failed || !asked.url.endsWith("file_stream")) return wandb.answer(asked, KEY);
        failed = true;
        // A server that echoes the request.
        return { status: 500, body: `${asked.authorization} ${KEY}` };
      });
      try {
        await writeText(nodeFileStore(dir), "m.json", tinyManifest());
        const args = [
          "train",
          "m.json",
          "--workers",
          "1",
          "--out",
          "out",
          "--wb",
          "--board",
          "--csv",
          "metrics.csv",
        ];
        const env = { WANDB_API_KEY: KEY, WANDB_BASE_URL: server.address, HOME: dir };
        const json = output === "--json" ? [output] : [];
        const { code, stdout, stderr } = await runProcess(dir, [...args, ...json], undefined, { env });
        expect(code).toBe(0);
        expect(wandb.rows.length).toBeGreaterThan(1);
        expect(wandb.exit).toBe(0);
        expect(stdout + stderr).toContain("answered 500: Basic (the key) (the key)");
        expect(isTold(stdout) || isTold(stderr)).toBe(false);

        const files = await filesBelow(dir);
        const names = [...files.keys()].join("\n");
        expect(names).toMatch(/metrics\.csv/);
        expect(names).toMatch(/tfevents/);
        expect(names).toMatch(/checkpoint_\d+\/member_0\.safetensors/);
        expect([...files].filter(([name, text]) => isTold(name + text)).map(([name]) => name)).toEqual([]);
        expect(server.asked.some(({ url, body }) => isTold(url + body))).toBe(false);
        expect(server.asked.every(({ authorization }) => authorization === `Basic ${BASIC}`)).toBe(true);
      } finally {
        await server.close();
      }
    });
  });

  it("does not begin with a key that the server refuses, and does not show it", async () => {
    await withTemporaryDirectory(async (dir) => {
      const server = await fakeServer(({ authorization }) => ({
        status: 401,
        body: `${authorization} ${KEY}`,
      }));
      try {
        await writeText(nodeFileStore(dir), "m.json", tinyManifest());
        const env = { WANDB_API_KEY: KEY, WANDB_BASE_URL: server.address, HOME: dir };
        const args = ["train", "m.json", "--workers", "1", "--out", "out", "--wb"];
        const { code, stdout, stderr } = await runProcess(dir, args, undefined, { env });
        expect(code).not.toBe(0);
        expect(stderr).toContain("tracker_api_key: the server refuses the key");
        expect(isTold(stdout + stderr)).toBe(false);
        const files = await filesBelow(dir);
        expect([...files].filter(([, text]) => isTold(text))).toEqual([]);
      } finally {
        await server.close();
      }
    });
  });
});
