import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { VERSION } from "../../specs/messages.ts";
import { codeOf } from "../../storage/files.ts";
import { CliError, type CliIo, EXIT, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";

export const init: Command = {
  name: "init",
  summary: "Writes a project: an environment of its own, a manifest, a script for Node, a page with React.",
  operands: ["DIR"],
  options: {},
  run: runInit,
};

const Project = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

async function runInit(line: CommandLine, { stdout }: CliIo): Promise<number> {
  const directory = line.operand(0);
  requireEmpty(directory);
  const examples = examplesDirectory();
  mkdirSync(directory, { recursive: true });
  cpSync(path.join(examples, "init"), directory, { recursive: true });
  const written = (name: string) => path.join(directory, name);
  cpSync(path.join(examples, "environment/cartpole.js"), written("cartpole.js"));
  const manifest = readFileSync(path.join(examples, "environment/ppo-own-cartpole.yaml"), "utf8");
  writeFileSync(
    written("manifest.yaml"),
    manifest.replace(/^(?:#.*\n)+/, "# npx rlkit train manifest.yaml\n"),
  );
  const project = Project.parse(JSON.parse(readFileSync(written("package.json"), "utf8")));
  const dependencies = { rlkit: `^${VERSION}`, ...project.dependencies };
  writeFileSync(written("package.json"), `${JSON.stringify({ ...project, dependencies }, null, 2)}\n`);
  // npm packs no file of this name.
  writeFileSync(written(".gitignore"), "node_modules/\ndist/\nruns/\n");
  stdout.write(
    [
      `${directory} has a project. To go on:`,
      `  cd ${directory}`,
      "  npm install",
      "  npm run train    # trains manifest.yaml",
      "  npm run script   # the same in a program: train.mjs",
      "  npm run page     # trains in a page: page/main.jsx",
      "The environment is cartpole.js.\n",
    ].join("\n"),
  );
  return EXIT.ok;
}

/** @throws CliError for a file, or a directory that has something */
function requireEmpty(directory: string): void {
  try {
    const [found] = readdirSync(directory).sort();
    if (found !== undefined)
      throw usageError(`init: ${directory} has files (${found}); name a directory that is new or empty`);
  } catch (error) {
    if (codeOf(error) === "ENOTDIR")
      throw usageError(`init: ${directory} is a file; name a directory that is new or empty`);
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** The package's examples: beside dist, or beside the sources. */
function examplesDirectory(): string {
  const places = ["../../../../examples", "../../../examples"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(path.join(place, "init/package.json")));
  if (found !== undefined) return found;
  throw new CliError(`init: ${places[0]} has no templates; install the package again`, EXIT.usage);
}
