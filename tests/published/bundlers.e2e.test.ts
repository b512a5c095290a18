/** Pages of other people, made by bundlers as they come: what they need of the package is bundled, and nothing else. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright";
import { build } from "vite";
import { describe, expect } from "vitest";
import webpack from "webpack";
import { root } from "../../scripts/lib/environment.mjs";
import { serveDirectory } from "../../src/cli/app/serveDirectory.ts";
import { appTest } from "../e2e/support/app-test.ts";
import { type PackedProject, packed } from "./support/packed-project.ts";

const it = appTest.extend(...packed);

const HTML =
  '<!doctype html><title>trains</title><link rel="icon" href="data:," /><script type="module" src="./main.js"></script>';

/** Trains on two workers; then opens the first bytes of an HDF5 file. */
const PROGRAM = `
  import { Accelerator, LocalTrainer, openDataset } from "rlkit";
  const manifest = {
    algorithm: { name: "DQN", learn_step: 8, batch_size: 8 },
    environment: { name: "CartPole-v1", num_envs: 2 },
    training: { max_steps: 200, evo_steps: 100, pop_size: 2, eval_steps: 20 },
  };
  const accelerator = new Accelerator({ workers: 2 });
  const trainer = await LocalTrainer.fromManifest(manifest, { accelerator, seed: 1 });
  const [agents] = await trainer.train({ verbose: false });
  const head = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(56).fill(0));
  const data = await openDataset(head).then(() => "read", (error) => error.message);
  document.title = "trained " + agents.length + "; " + data;`;

const INCLUDED = `
  import "rlkit/h5wasm";
  import "rlkit/onnxruntime-web";
  ${PROGRAM}`;

/** Trains a body of MuJoCo on two workers, which load a module that the bundler built with MuJoCo. */
const BODIES = `
  import { Accelerator, LocalTrainer } from "rlkit";
  import "rlkit/mujoco";
  import physics from "./physics.js?worker&url";
  const manifest = {
    algorithm: { name: "PPO", learn_step: 64, batch_size: 32 },
    environment: { name: "InvertedPendulum-v5", num_envs: 2 },
    training: { max_steps: 256, evo_steps: 128, pop_size: 2, eval_steps: 20 },
  };
  const modules = [new URL(physics, location.href)];
  const trainer = await LocalTrainer.fromManifest(manifest, {
    accelerator: new Accelerator({ workers: 2, modules }),
    seed: 1,
  });
  document.title = await trainer.train({ verbose: false }).then(
    ([agents]) => "trained " + agents.length,
    (error) => "trained nothing: " + error.message,
  );`;

const MISSING =
  "trained 2; HDF5 files need the package h5wasm, which this page does not include; " +
  'run "npm install h5wasm@0.10", and add import "rlkit/h5wasm" to the page\'s program';

/** A folder of the project with a page's program. */
function page({ directory }: PackedProject, name: string, program: string): string {
  const folder = path.join(directory, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "index.html"), HTML);
  writeFileSync(path.join(folder, "main.js"), program);
  return folder;
}

/** @returns what webpack complains of. */
const webpacked = (context: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const compiler = webpack({
      mode: "development",
      context,
      entry: "./main.js",
      output: { path: path.join(context, "dist") },
    });
    compiler.run((error, stats) => {
      if (error) reject(error);
      else resolve(stats?.toString({ all: false, errors: true, warnings: true }) ?? "");
    });
  });

const viteBuilt = (folder: string) =>
  build({
    configFile: false,
    root: folder,
    base: "./",
    logLevel: "error",
    build: { minify: false },
    // A module for workers that loads more on demand has to be an ES module.
    worker: { format: "es" },
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => path.extname(name) !== "");

/** The title of a page of a folder once its program has run. */
async function titleOf(folder: string, page: Page): Promise<string> {
  const served = await serveDirectory(folder, { host: "127.0.0.1", port: 0, headersOf: () => ({}) });
  try {
    await page.goto(`http://127.0.0.1:${served.port}/`);
    await expect.poll(() => page.title()).toContain("trained");
    return await page.title();
  } finally {
    await served.close();
  }
}

/** Calls a function while the project has packages that rlkit does not install. */
async function withPackages(
  { directory }: PackedProject,
  names: readonly string[],
  call: () => Promise<void>,
): Promise<void> {
  const links = names.map((name) => [name, path.join(directory, "node_modules", name)] as const);
  for (const [name, link] of links) {
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), link);
  }
  try {
    await call();
  } finally {
    for (const [, link] of links) rmSync(link);
  }
}

describe("a page that trains", () => {
  it("is built by webpack, without settings, and runs", async ({ packed: project, page: tab }) => {
    const folder = page(project, "webpack", PROGRAM);
    expect(await webpacked(folder)).toBe("");
    writeFileSync(path.join(folder, "dist/index.html"), HTML);
    const files = filesIn(path.join(folder, "dist"));
    expect(files.filter((name) => /node_(?:dir|file)|nodeFileStore|ort\.|wasm$|hdf5/.test(name))).toEqual([]);
    expect(await titleOf(path.join(folder, "dist"), tab)).toBe(MISSING);
  });

  it("is built by Vite without ONNX Runtime, HDF5 and what only Node has, and runs", async ({
    packed: project,
    page: tab,
  }) => {
    const folder = page(project, "vite", PROGRAM);
    await viteBuilt(folder);
    const dist = path.join(folder, "dist");
    expect(filesIn(dist).filter((name) => /\.wasm$|hdf5|\bort\b/.test(name))).toEqual([]);
    const ofNode = filesIn(dist).filter((name) =>
      readFileSync(path.join(dist, name), "utf8").includes("createReadStream"),
    );
    expect(ofNode).toEqual([]);
    expect(await titleOf(dist, tab)).toBe(MISSING);
  });

  it("has both once it asks for them by name", async ({ packed: project, page: tab, complaints }) => {
    await withPackages(project, ["h5wasm", "onnxruntime-web"], async () => {
      const folder = page(project, "included", INCLUDED);
      await viteBuilt(folder);
      const files = filesIn(path.join(folder, "dist"));
      expect(files.filter((name) => name.endsWith(".wasm"))).toEqual([
        expect.stringMatching(/\/ort-wasm-simd-threaded\.asyncify-[\w-]+\.wasm$/),
      ]);
      const title = await titleOf(path.join(folder, "dist"), tab);
      expect(title).toBe("trained 2; data set: is a damaged HDF5 file; fetch it again");
      // HDF5 itself says at length what is wrong with the file.
      expect(complaints.splice(0)).not.toEqual([]);
    });
  });

  it("steps MuJoCo in its workers once a module for them asks for it by name", async ({
    packed: project,
    page: tab,
  }) => {
    await withPackages(project, ["@mujoco/mujoco"], async () => {
      const folder = page(project, "bodies", BODIES);
      writeFileSync(path.join(folder, "physics.js"), 'import "rlkit/mujoco";');
      await viteBuilt(folder);
      expect(await titleOf(path.join(folder, "dist"), tab)).toBe("trained 2");
    });
  });
});
