/** Code of the documentation, as a user has it: checked by the compiler, and run. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildLibIfStale } from "../../scripts/lib/build.mjs";
import { root } from "../../scripts/lib/environment.mjs";
import { compiled } from "../support/compiled.ts";

const { exports: ENTRIES } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** Where the build declares a source: what users' compilers read, in a tenth of the time that the sources take. */
const declared = (source: string): string =>
  path.join(root, "dist/lib", path.relative("src", source).replace(/ts$/, "d.ts"));

/** What `rlkit` and its sub-paths are, by the path of a source. */
const packagePaths = (placeOf: (source: string) => string) =>
  Object.fromEntries(
    Object.entries(ENTRIES).flatMap(([entry, target]) =>
      typeof target === "string"
        ? []
        : [
            [
              entry.replace(".", "rlkit"),
              [placeOf(target.default.replace("./dist/lib/", "src/").replace(/js$/, "ts"))],
            ],
          ],
    ),
  );

/** Printed after what a file printed. */
const END = "-- end of the file --";

/** A user's project whose `rlkit` is the built one for the compiler; what runs has the sources as tests/support/compileSources.ts compiled them. */
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
        paths: packagePaths(declared),
      },
      include: ["*.ts", "*.tsx"],
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
  async complaints(): Promise<string> {
    if (!(await buildLibIfStale())) throw new Error("the library could not be built");
    return this.#node("typescript/bin/tsc", ["-p", "."]).stdout;
  }

  /** Runs files one after another in one process; what each prints. @throws Error with what it says when one fails. */
  run(...names: string[]): string[] {
    const imports = names.map((name) => `await import("./${name}");\nconsole.log("${END}");\n`);
    this.write("run.mts", imports.join(""));
    const { status, stdout, stderr } = this.#node("tsx/dist/cli.mjs", [
      "--tsconfig",
      "tsconfig.run.json",
      "run.mts",
    ]);
    const printed = stdout.split(`${END}\n`);
    if (status !== 0) throw new Error(`${names[printed.length - 1]} ends with ${status}:\n${stderr}`);
    return printed;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #node(script: string, args: readonly string[]) {
    const file = path.join(root, "node_modules", script);
    return spawnSync(process.execPath, [file, ...args], { cwd: this.directory, encoding: "utf8" });
  }
}
