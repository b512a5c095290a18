import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";

interface Manifest {
  name: string;
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Manifest;
const entries = Object.keys(manifest.exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => path.posix.join(manifest.name, entry));

/** A project that has installed the package as it would be published: with its dependencies and nothing else. */
describe("the packed library", () => {
  let project: string;
  let installed: string;

  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), "rlkit-consumer-"));
    const modules = path.join(project, "node_modules");
    installed = path.join(modules, manifest.name);
    mkdirSync(installed, { recursive: true });
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const packed = execFileSync(
      npm,
      ["pack", "--ignore-scripts", "--silent", "--pack-destination", project],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    const tarball = path.join(project, packed.trim().split("\n").at(-1) ?? "");
    execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
    for (const dependency of [...Object.keys(manifest.dependencies), "@types/node"]) {
      mkdirSync(path.dirname(path.join(modules, dependency)), { recursive: true });
      symlinkSync(path.join(root, "node_modules", dependency), path.join(modules, dependency));
    }
    writeFileSync(path.join(project, "package.json"), JSON.stringify({ type: "module" }));
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it.each(entries)("is imported in Node as %s", (entry) => {
    const script = `console.log(Object.keys(await import(${JSON.stringify(entry)})).length)`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      encoding: "utf8",
    });
    expect(Number(output)).toBeGreaterThan(0);
  });

  it.each(["nodenext", "bundler"])(
    "has types that a consumer can check, with module resolution %s",
    (resolution) => {
      const lines = entries.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};`);
      writeFileSync(path.join(project, "consumer.ts"), `${lines.join("\n")}\n`);
      const options = {
        target: "es2023",
        lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
        module: resolution === "nodenext" ? "nodenext" : "esnext",
        moduleResolution: resolution,
        strict: true,
        noEmit: true,
        types: ["node"],
      };
      writeFileSync(
        path.join(project, "tsconfig.json"),
        JSON.stringify({ compilerOptions: options, files: ["consumer.ts"] }),
      );
      const compiler = path.join(root, "node_modules/typescript/bin/tsc");
      let complaints = "";
      try {
        execFileSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
      } catch (error) {
        complaints = (error as { stdout: string }).stdout;
      }
      expect(complaints).toBe("");
    },
  );

  it("is bundled for the browser", async () => {
    const lines = entries.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};`);
    writeFileSync(path.join(project, "main.js"), `${lines.join("\n")}\n`);
    await build({
      configFile: false,
      root: project,
      logLevel: "error",
      worker: { format: "es" },
      build: { lib: { entry: "main.js", formats: ["es"], fileName: "bundle" }, outDir: "bundled" },
    });
    const bundle = readFileSync(path.join(project, "bundled/bundle.js"), "utf8");
    expect(bundle).not.toContain(`from "node:`);
  });

  it.each(Object.entries(manifest.bin))("has the command %s", (_, file) => {
    const command = path.join(installed, file);
    accessSync(command, constants.X_OK);
    expect(readFileSync(command, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
    const help = execFileSync(process.execPath, [command, "--help"], { cwd: project, encoding: "utf8" });
    expect(help).toContain("train");
  });
});
