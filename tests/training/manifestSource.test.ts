import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";

const YAML =
  "algorithm: {name: DQN}\nenvironment: {name: CartPole-v1}\ntraining: {max_steps: 777, evo_steps: 7}\n";

const stepsOf = async (place: string | URL, options = {}) =>
  (await LocalTrainer.fromManifest(place, options)).manifest.training.max_steps;

async function withDirectory(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "rlkit manifest "));
  try {
    await work(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a manifest given as a URL", () => {
  it("of a file is read from the disk, or from the given store", async () => {
    await withDirectory(async (dir) => {
      const path = join(dir, "run 1.yaml");
      await writeFile(path, YAML);
      const url = pathToFileURL(path);
      expect(url.href).toContain("%20");
      expect(await stepsOf(url)).toBe(777);
      expect(await stepsOf(url.href)).toBe(777);
      await expect(stepsOf(pathToFileURL(join(dir, "none.yaml")))).rejects.toMatchObject({
        code: "not_found",
        message: `${join(dir, "none.yaml")}: no such file; check the path`,
      });
    });
    const store = memoryFileStore();
    await store.write("a/b.yaml", new TextEncoder().encode(YAML));
    expect(await stepsOf(new URL("file:///a/b.yaml"), { store })).toBe(777);
  });

  it("of another kind is fetched", async () => {
    const asked: string[] = [];
    const answers = new Map([["https://example.org/run.yaml", YAML]]);
    vi.stubGlobal("fetch", async (url: URL) => {
      asked.push(url.href);
      const text = answers.get(url.href);
      return text === undefined
        ? new Response("", { status: url.pathname.startsWith("/none") ? 404 : 503, statusText: "Busy" })
        : new Response(text);
    });
    expect(await stepsOf(new URL("https://example.org/run.yaml"))).toBe(777);
    expect(await stepsOf("https://example.org/run.yaml")).toBe(777);
    expect(asked).toHaveLength(2);
    await expect(stepsOf(new URL("https://example.org/none.yaml"))).rejects.toThrow(
      "https://example.org/none.yaml: no such file; check the address",
    );
    await expect(stepsOf(new URL("https://example.org/busy.yaml"))).rejects.toThrow(
      "https://example.org/busy.yaml: the manifest cannot be fetched: the server answered 503 Busy; check the address",
    );
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("fetch failed");
    });
    await expect(stepsOf(new URL("https://example.org/run.yaml"))).rejects.toThrow(
      "https://example.org/run.yaml: the manifest cannot be fetched: fetch failed; check the address",
    );
  });

  it("names what is wrong with it by its own name", async () => {
    vi.stubGlobal("fetch", async () => new Response("{"));
    await expect(stepsOf(new URL("https://example.org/run.json"))).rejects.toThrow(/JSON/);
  });
});

describe("a directory in place of a manifest", () => {
  it("is told as such, with the manifests in it", async () => {
    await withDirectory(async (dir) => {
      const empty = join(dir, "empty");
      const named = join(dir, "odd.yaml");
      await mkdir(empty);
      await mkdir(named);
      await writeFile(join(dir, "run.yaml"), YAML);
      const what = "is a directory, and a manifest is a YAML or JSON file";
      await expect(stepsOf(dir)).rejects.toThrow(`${dir}: ${what}; give a manifest in it, such as run.yaml`);
      await expect(stepsOf(`${dir}/`)).rejects.toThrow(what);
      await expect(stepsOf(pathToFileURL(dir))).rejects.toThrow(what);
      await expect(stepsOf(empty)).rejects.toThrow(`${empty}: ${what}; give a manifest's file`);
      await expect(stepsOf(named)).rejects.toThrow(`${named}: ${what}; give a manifest's file`);
    });
  });

  it("is told as such in a store of the caller's", async () => {
    const store = memoryFileStore();
    await store.write("runs/a/manifest.yaml", new TextEncoder().encode(YAML));
    await expect(stepsOf("runs/a", { store })).rejects.toThrow(
      "runs/a: is a directory, and a manifest is a YAML or JSON file; give a manifest in it, such as manifest.yaml",
    );
    // Any other word is a text that is no manifest.
    await expect(stepsOf("runs/b", { store })).rejects.toThrow(/expected a mapping/);
  });
});
