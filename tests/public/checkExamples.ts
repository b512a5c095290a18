/** Code of the documentation, as a user has it: checked by the compiler, and run. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";

/** A user's project whose `rlkit` is this clone's sources. */
export class ExampleProject {
  readonly directory = mkdtempSync(path.join(tmpdir(), "rlkit-examples-"));

  constructor() {
    symlinkSync(path.join(root, "node_modules"), path.join(this.directory, "node_modules"));
    const src = path.join(root, "src");
    const config = {
      extends: path.join(root, "tsconfig.json"),
      compilerOptions: {
        types: ["node", "@webgpu/types"],
        noUnusedLocals: false,
        verbatimModuleSyntax: false,
        isolatedModules: false,
        paths: {
          rlkit: [path.join(src, "index.ts")],
          "rlkit/storage/node": [path.join(src, "storage/node/index.ts")],
          "rlkit/*": [path.join(src, "*/index.ts")],
        },
      },
      include: ["*.ts"],
    };
    writeFileSync(path.join(this.directory, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(path.join(this.directory, "package.json"), JSON.stringify({ type: "module" }));
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
    const { status, stdout, stderr } = this.#node("tsx/dist/cli.mjs", ["--tsconfig", "tsconfig.json", name]);
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
