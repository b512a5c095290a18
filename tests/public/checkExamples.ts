/** Code of the documentation, as a user has it: checked by the compiler, and run. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";
import { compiled } from "../support/compileSources.ts";

/** What `rlkit` and its sub-paths are, by the path of a source. */
const packagePaths = (placeOf: (source: string) => string) => ({
  rlkit: [placeOf("src/index.ts")],
  "rlkit/storage/node": [placeOf("src/storage/node/index.ts")],
  "rlkit/*": [placeOf("src/*/index.ts")],
});

/** A user's project whose `rlkit` is this clone's sources, for what runs those that tests/support/compileSources.ts has compiled. */
export class ExampleProject {
  readonly directory = mkdtempSync(path.join(tmpdir(), "rlkit-examples-"));

  constructor() {
    symlinkSync(path.join(root, "node_modules"), path.join(this.directory, "node_modules"));
    const config = {
      extends: path.join(root, "tsconfig.json"),
      compilerOptions: {
        types: ["node", "@webgpu/types"],
        noUnusedLocals: false,
        verbatimModuleSyntax: false,
        isolatedModules: false,
        paths: packagePaths((source) => path.join(root, source)),
      },
      include: ["*.ts"],
    };
    this.write("tsconfig.json", JSON.stringify(config));
    const running = { extends: "./tsconfig.json", compilerOptions: { paths: packagePaths(compiled) } };
    this.write("tsconfig.run.json", JSON.stringify(running));
    this.write("package.json", JSON.stringify({ type: "module" }));
  }

  write(name: string, text: string): void {
    const file = path.join(this.directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** What the compiler says of all files that were written; empty when they hold. */
  complaints(): string {
    return this.#node("typescript/bin/tsc", ["-p", "."]).stdout;
  }

  /** Runs a file; what it prints. @throws Error with what it says when it fails. */
  run(name: string): string {
    const { status, stdout, stderr } = this.#node("tsx/dist/cli.mjs", [
      "--tsconfig",
      "tsconfig.run.json",
      name,
    ]);
    if (status !== 0) throw new Error(`${name} ends with ${status}:\n${stderr}`);
    return stdout;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #node(script: string, args: readonly string[]) {
    const file = path.join(root, "node_modules", script);
    return spawnSync(process.execPath, [file, ...args], { cwd: this.directory, encoding: "utf8" });
  }
}
