import { execFileSync, spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { build } from "vite";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { dependenciesOf } from "../../scripts/lib/notices.mjs";
import { packageManifest, packed } from "./support/packed-project.ts";

const it = test.extend(...packed);

const manifest = packageManifest;
const entries = Object.keys(manifest.exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => path.posix.join(manifest.name, entry));

/** Bytes of a folder on a disk that gives each file whole blocks of 4 KiB. */
const bytesOnDisk = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(path.join(folder, name)).size)
    .reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);

const everyPlatform = { lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: ["node"] };

describe("the packed library", () => {
  let project: string;
  let installed: string;
  /** How many names each entry exports; what it complains of where it cannot be imported. */
  let exported: Readonly<Record<string, number | string>>;

  it.beforeAll(({ packed }) => {
    ({ directory: project, installed } = packed);
    const script = `
      const exported = {};
      for (const entry of ${JSON.stringify(entries)})
        exported[entry] = await import(entry).then((names) => Object.keys(names).length, String);
      console.log(JSON.stringify(exported));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      encoding: "utf8",
    });
    exported = JSON.parse(output);
  });

  it.each(entries)("is imported in Node as %s", (entry) => {
    expect(exported[entry]).toEqual(expect.any(Number));
    expect(exported[entry]).toBeGreaterThan(0);
  });

  it("keeps files on the disk for a caller in Node", () => {
    const script = `
      import { RunStore, memoryRunIndex, memoryRunLocks } from "rlkit/storage";
      import { nodeFileStore } from "rlkit/storage/node";
      const files = nodeFileStore("kept");
      const runs = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
      const { id } = await runs.createRun({ name: "mine", manifest: {} });
      await runs.releaseRun(id);
      console.log((await files.list("/v1/runs")).length);`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      encoding: "utf8",
    });
    expect(output).toBe("1\n");
  });

  it.each([
    ["no library but ECMAScript's", "nodenext", { lib: ["ES2023"], types: [] }],
    ["Node's types and a bundler", "bundler", { lib: ["ES2023"], types: ["node"] }],
    ["the DOM and a bundler", "bundler", { lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] }],
    ["the DOM and Node's types", "nodenext", everyPlatform],
  ])("has types that hold to their last declaration, for a consumer with %s", (_, resolution, platform) => {
    const lines = entries.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};`);
    // Typed as unknown or any, the package would hold anything.
    lines.push(
      'import { LocalTrainer } from "rlkit";',
      'import { nodeFileStore } from "rlkit/storage/node";',
      "export const trained: Promise<readonly [readonly { readonly index: number }[], readonly number[]]> =",
      '  LocalTrainer.fromManifest("run.yaml", { store: nodeFileStore() }).then((trainer) => trainer.train());',
      "// @ts-expect-error A path is a text.",
      "nodeFileStore(1);",
    );
    expect(complaintsOf(lines, resolution, platform)).toBe("");
  });

  it("has declarations of at most 20,000 lines for a consumer of one name", () => {
    const lines = ['import { LocalTrainer } from "rlkit";', "export const trainer = LocalTrainer;"];
    const files = complaintsOf(lines, "nodenext", { lib: ["ES2023"], types: [] }, "--listFilesOnly");
    const own = files.split("\n").filter((file) => file.includes("/node_modules/rlkit/"));
    expect(own.length).toBeGreaterThan(100);
    const counts = own.map((file) => readFileSync(file, "utf8").split("\n").length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(20_000);
  });

  /** What the compiler says of a consumer's file, with every declaration checked but those of its own libraries. */
  function complaintsOf(
    lines: readonly string[],
    resolution: string,
    platform: object,
    ...flags: readonly string[]
  ): string {
    writeFileSync(path.join(project, "consumer.ts"), `${lines.join("\n")}\n`);
    const compilerOptions = {
      target: "es2023",
      module: resolution === "nodenext" ? "nodenext" : "esnext",
      moduleResolution: resolution,
      strict: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      noEmit: true,
      ...platform,
    };
    const config = { compilerOptions, files: ["consumer.ts"] };
    writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(config));
    const compiler = path.join(root, "node_modules/typescript/bin/tsc");
    try {
      return execFileSync(process.execPath, [compiler, "-p", project, ...flags], { encoding: "utf8" });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  it("is bundled for the browser", async () => {
    const portable = entries.filter((entry) => !/\/(?:node|hosting)$/.test(entry));
    const lines = portable.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};`);
    writeFileSync(path.join(project, "main.js"), `${lines.join("\n")}\n`);
    await build({
      configFile: false,
      root: project,
      logLevel: "error",
      worker: { format: "es" },
      build: {
        lib: { entry: "main.js", formats: ["es"], fileName: "bundle" },
        outDir: "bundled",
        minify: false,
        reportCompressedSize: false,
      },
    });
    const bundle = readFileSync(path.join(project, "bundled/bundle.js"), "utf8");
    expect(bundle).not.toContain(`from "node:`);
  });

  it("takes at most 60 MB with all that is installed with it", () => {
    const parts = [installed, ...dependenciesOf(root)].map((folder) => realpathSync(folder));
    const bytes = parts.reduce((sum, folder) => sum + bytesOnDisk(folder), 0);
    expect(bytes).toBeGreaterThan(20e6);
    expect(bytes).toBeLessThan(60e6);
  });

  describe("without the packages that it does not install", () => {
    const runs = {
      "cartpole.yaml": `
        algorithm: {name: DQN, learn_step: 8, batch_size: 8}
        environment: {name: CartPole-v1, num_envs: 2}
        training: {max_steps: 200, evo_steps: 100, pop_size: 2, eval_steps: 20}`,
      "digits.yaml": `
        algorithm: {name: GRPO, batch_size: 2, group_size: 2, max_output_tokens: 1, max_model_len: 16}
        environment: {env_type: rollout, entrypoint: rlkit/ConditionalTarget, max_turns: 1}
        network: {pretrained_model_name_or_path: rlkit/tiny-digits, max_context_length: 16}
        training: {max_steps: 4, pop_size: 1, evaluation_interval: 1}`,
      "offline.yaml": `
        algorithm: {name: CQN}
        environment: {name: CartPole-v1, dataset_path: data.hdf5}
        training: {max_steps: 200, evo_steps: 100, pop_size: 1}`,
    };

    const train = (file: keyof typeof runs, ...flags: string[]) => {
      writeFileSync(path.join(project, file), runs[file]);
      // The signature of HDF5, and no more.
      writeFileSync(path.join(project, "data.hdf5"), Buffer.from("894844460d0a1a0a", "hex"));
      const command = path.join(installed, manifest.bin.rlkit ?? "");
      return spawnSync(process.execPath, [command, "train", file, "--workers", "1", ...flags], {
        cwd: project,
        encoding: "utf8",
      });
    };

    it.each(["cartpole.yaml", "digits.yaml"] as const)("trains %s", (file) => {
      const { status, stderr } = train(file);
      expect(stderr).not.toContain("install");
      expect(status).toBe(0);
    });

    it("says how to install what HDF5 files need", () => {
      const { status, stderr } = train("offline.yaml");
      expect(stderr).toContain(
        `rlkit: HDF5 files need the package h5wasm, which is not installed; run "npm install h5wasm@${manifest.peerDependencies.h5wasm}"`,
      );
      expect(status).toBe(1);
    });

    it("says how to install what GPUs in Node need", () => {
      const { status, stderr } = train("cartpole.yaml", "--device", "webgpu");
      expect(stderr).toContain(`npm install webgpu@${manifest.peerDependencies.webgpu}`);
      expect(status).toBe(1);
    });
  });

  it("brings the examples", () => {
    const names = readdirSync(path.join(installed, "examples"), { recursive: true, encoding: "utf8" });
    expect(names).toEqual(expect.arrayContaining(["train-in-node.mjs", "manifests/dqn-cartpole.yaml"]));
  });

  it("brings the licences of what it holds and needs", () => {
    const notices = readFileSync(path.join(installed, "dist/app/third-party-notices.txt"), "utf8");
    const { "onnxruntime-web": ort, h5wasm } = manifest.devDependencies;
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      "onnxruntime-web": ort,
      h5wasm,
    }))
      expect(notices).toContain(`${"-".repeat(80)}\n${name} ${version}\nLicence: `);
  });

  it.each(Object.entries(manifest.bin))("has the command %s", (_, file) => {
    const command = path.join(installed, file);
    accessSync(command, constants.X_OK);
    expect(readFileSync(command, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
    const help = execFileSync(process.execPath, [command, "--help"], { cwd: project, encoding: "utf8" });
    expect(help).toContain("train");
  });
});
