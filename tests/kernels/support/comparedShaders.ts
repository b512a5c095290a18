/**
 * Comparisons on SwiftShader that need not be made again: the same shader, given its memory by the same code, computes the same
 * numbers. `tests/kernels/compared` has the fingerprints of those that passed; any other is made. RLKIT_SHADERS=all makes all of
 * them. RLKIT_SHADERS=record keeps the fingerprints of those that it makes:
 *
 * RLKIT_SHADERS=record npx vitest run --project 'unit*' tests/kernels tests/rl
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../../scripts/lib/environment.mjs";
import type { Program } from "../../../src/kernels/index.ts";
import { shaderOf } from "../../../src/kernels/webgpu.ts";
import type { TestDevice } from "./devices.ts";

/** What gives shaders their memory and runs them, and the package that SwiftShader is called by. */
const HOST = [
  ...["arena", "device", "executable", "gpuHeap", "passTimer", "staging", "stagingRing"].map(
    (name) => `src/kernels/wgsl/${name}.ts`,
  ),
  ...["lowering/memoryTable", "lowering/placement", "lowering/work", "arenaLayout", "dim"].map(
    (name) => `src/kernels/${name}.ts`,
  ),
  "node_modules/webgpu/package.json",
];

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s+/gm;

const textOf = (file: string) => readFileSync(path.join(root, file), "utf8").replaceAll(COMMENTS, " ");

const mode = process.env.RLKIT_SHADERS;

/** The fingerprints are of results on SwiftShader. */
const isSoftware =
  process.platform === "linux" && /swiftshader/.test(process.env.VK_ICD_FILENAMES ?? "swiftshader");

/** The sizes of the tests' devices. */
const LIMITS = { workgroupSize: 32, stagingBytes: 0 };

/**
 * @param url Of the file that makes the comparisons. Its text is part of the fingerprints.
 * @returns a function that makes a comparison, unless it is known from these programs to pass.
 */
export function comparedShaders(url: string) {
  const suite = path.relative(path.join(root, "tests"), fileURLToPath(url));
  const name = suite.replace(/(?:\.test)?\.ts$/, "").replaceAll(path.sep, "-");
  const file = path.join(root, "tests/kernels/compared", `${name}.json`);
  const sources = [...HOST, path.join("tests", suite)].map(textOf);
  const known: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return async (title: string, programs: Iterable<Program>, compare: () => Promise<void>): Promise<void> => {
    const hash = createHash("sha256").update(JSON.stringify(sources));
    for (const program of programs) hash.update(JSON.stringify(shaderOf(program, LIMITS)));
    const found = hash.digest("hex").slice(0, 16);
    if (mode !== "all" && isSoftware && known[title] === found) return;
    await compare();
    if (mode !== "record") return;
    known[title] = found;
    writeFileSync(file, `${JSON.stringify(known, Object.keys(known).sort(), 2)}\n`);
  };
}

/** The same of a test that each of `devices` has: those that are not WebGPU's are compared always. */
export function comparedOn(url: string) {
  const assertOnce = comparedShaders(url);
  return (
    { name }: TestDevice,
    title: string,
    programs: Iterable<Program>,
    compare: () => Promise<void>,
  ): Promise<void> => (name === "webgpu" ? assertOnce(title, programs, compare) : compare());
}
