import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { doors as doorsOf } from "../../scripts/lint/doors.mjs";

interface Snippet {
  /** Where the snippet lies; imports are resolved from there. */
  file: string;
  code: string;
  /** The rules that must object to it, and no others. */
  rules: string[];
}

const doors = "rlkit(doors)";
const direction = "rlkit(import-direction)";
const math = "rlkit(portable-math)";

const snippets: Snippet[] = [
  // Import direction: specs <- kernels <- evolution <- rl, llm <- training <- workers, cli, platform <- ui.
  { file: "src/specs/a.ts", code: `export * from "../kernels/index.ts";`, rules: [direction] },
  { file: "src/kernels/a.ts", code: `export * from "../specs/checks.ts";`, rules: [direction] },
  { file: "src/evolution/a.ts", code: `export { ok } from "../rl/spaces.ts";`, rules: [direction] },
  {
    file: "src/agents/classes/deep/a.ts",
    code: `export { ok } from "../../../training/index.ts";`,
    rules: [direction],
  },
  { file: "src/rl/b.ts", code: `export { ok } from "../llm/index.ts";`, rules: [direction] },
  { file: "src/llm/a.ts", code: `export { ok } from "../rl/spaces.ts";`, rules: [direction] },
  { file: "src/storage/a.ts", code: `export { ok } from "../training/index.ts";`, rules: [direction] },
  { file: "src/tracking/a.ts", code: `export { ok } from "../training/index.ts";`, rules: [direction] },
  {
    file: "src/training/a.ts",
    code: `export const later = import("../workers/index.ts");`,
    rules: [direction],
  },
  { file: "src/training/b.ts", code: `export type { Ok } from "../ui/pwa/precache.ts";`, rules: [direction] },
  {
    file: "src/training/e.ts",
    code: `export type Ok = import("../ui/pwa/precache.ts").Ok;`,
    rules: ["typescript(consistent-type-imports)", direction],
  },
  { file: "src/workers/a.ts", code: `export { ok } from "../cli/CliIo.ts";`, rules: [direction] },
  {
    file: "src/storage/b.ts",
    code: `export const later = import("#node/training/index");`,
    rules: [direction],
  },
  { file: "src/cli/a.ts", code: `export { ok } from "../ui/pwa/precache.ts";`, rules: [direction] },
  { file: "src/index.ts", code: `export { ok } from "./ui/pwa/precache.ts";`, rules: [direction] },
  { file: "src/rl/c.ts", code: `export { ok } from "../../tests/ok.ts";`, rules: [direction] },
  { file: "src/newfolder/a.ts", code: `export { ok } from "../specs/checks.ts";`, rules: [direction] },
  {
    file: "platform/server/a.ts",
    code: `export { ok } from "../../src/ui/pwa/precache.ts";`,
    rules: [doors],
  },
  { file: "src/rl/d.ts", code: `export { ok } from "../kernels/index.ts";`, rules: [] },
  { file: "src/training/c.ts", code: `export { ok } from "../rl/spaces.ts";`, rules: [] },
  { file: "src/training/d.ts", code: `export { ok } from "../storage/index.ts";`, rules: [] },
  { file: "src/ui/a.ts", code: `export { ok } from "../workers/index.ts";`, rules: [] },
  { file: "src/specs/algorithms/a.ts", code: `export { ok } from "../ok.ts";`, rules: [] },
  // The floors of rl.
  { file: "src/rl/spaces/a.ts", code: `export { ok } from "../networks/ok.ts";`, rules: [direction] },
  { file: "src/rl/modules/a.ts", code: `export { ok } from "../environments/ok.ts";`, rules: [direction] },
  {
    file: "src/rl/environments/deep/a.ts",
    code: `export { ok } from "../../agents/ok.ts";`,
    rules: [direction],
  },
  {
    file: "src/rl/environments/face/a.ts",
    code: `export { ok } from "../definition/ok.ts";`,
    rules: [direction],
  },
  {
    file: "src/rl/environments/drawing/a.ts",
    code: `export { ok } from "../toyText/taxi/ok.ts";`,
    rules: [direction],
  },
  {
    file: "src/rl/environments/toyText/taxi/a.ts",
    code: `export { ok } from "../../drawing/ok.ts";`,
    rules: [],
  },
  { file: "src/agents/runtime/a.ts", code: `export { ok } from "./wasm/ok.ts";`, rules: [direction] },
  { file: "src/agents/runtime/wasm/a.ts", code: `export { ok } from "../webgpu/ok.ts";`, rules: [direction] },
  { file: "src/rl/newroom/a.ts", code: `export { ok } from "../spaces/ok.ts";`, rules: [direction] },
  { file: "src/agents/classes/b.ts", code: `export { ok } from "../runtime/wasm/ok.ts";`, rules: [] },
  { file: "src/agents/index.ts", code: `export { ok } from "./classes/ok.ts";`, rules: [] },
  // The rooms of training.
  { file: "src/training/loop/a.ts", code: `export { ok } from "../../rl/spaces.ts";`, rules: [direction] },
  { file: "src/training/loop/b.ts", code: `export { ok } from "../executors/ok.ts";`, rules: [direction] },
  { file: "src/training/executors/a.ts", code: `export { ok } from "../loop/ok.ts";`, rules: [] },
  { file: "src/training/rl/a.ts", code: `export { ok } from "../../rl/spaces.ts";`, rules: [] },
  { file: "tests/any/a.ts", code: `export { ok } from "../../src/ui/pwa/precache.ts";`, rules: [] },
  // Doors of rooms.
  { file: "tests/any/b.ts", code: `export { ok } from "../../src/agents/classes/ok.ts";`, rules: [doors] },
  { file: "tests/browser/rl/inside/a.ts", code: `export { ok } from "../../../../src/rl/ok.ts";`, rules: [] },
  { file: "src/training/f.ts", code: `export { ok } from "../agents/runtime/wasm/ok.ts";`, rules: [doors] },
  { file: "src/training/g.ts", code: `export const later = import("../rl/ok.ts");`, rules: [doors] },
  { file: "src/cli/b.ts", code: `export const later = import("#node/storage/ok");`, rules: [doors] },
  {
    file: "platform/server/b.ts",
    code: `export { ok } from "../../src/agents/classes/ok.ts";`,
    rules: [doors],
  },
  // The platform enters at the package's entries; other doors are closed to it.
  { file: "platform/server/c.ts", code: `export { ok } from "../../src/hosting/index.ts";`, rules: [] },
  { file: "platform/server/d.ts", code: `export { ok } from "../../src/storage/index.ts";`, rules: [] },
  { file: "platform/server/e.ts", code: `export { ok } from "./d.ts";`, rules: [] },
  {
    file: "platform/server/f.ts",
    code: `export const later = import("../../src/storage/files.ts");`,
    rules: [doors],
  },
  { file: "platform/server/g.ts", code: `export { ok } from "../../tests/ok.ts";`, rules: [doors] },
  { file: "src/workers/b.ts", code: `export { ok } from "../hosting/index.ts";`, rules: [direction] },
  { file: "src/rl/e.ts", code: `export { ok } from "./agents/ok.ts";`, rules: [] },
  { file: "src/agents/host/a.ts", code: `export { ok } from "../classes/ok.ts";`, rules: [] },
  { file: "tests/rl/inside/a.ts", code: `export { ok } from "../../../src/rl/agents/ok.ts";`, rules: [] },
  {
    file: "tests/rl/inside/b.ts",
    code: `export { ok } from "../../../src/training/loop/ok.ts";`,
    rules: [doors],
  },
  // Cycles inside a folder.
  {
    file: "src/rl/one.ts",
    code: `import { two } from "./two.ts";\nexport const one = () => two;`,
    rules: ["import(no-cycle)"],
  },
  {
    file: "src/rl/two.ts",
    code: `import { one } from "./one.ts";\nexport const two = () => one;`,
    rules: ["import(no-cycle)"],
  },
  // Mathematics whose bits differ between engines.
  { file: "src/kernels/m1.ts", code: "export const a = (x: number) => Math.sin(x);", rules: [math] },
  { file: "src/kernels/m2.ts", code: `export const a = (x: number) => Math["exp"](x);`, rules: [math] },
  {
    file: "src/kernels/m3.ts",
    code: "const { log } = Math;\nexport const a = (x: number) => log(x);",
    rules: [math],
  },
  { file: "src/kernels/m4.ts", code: "export const a = (x: number) => x ** 0.5;", rules: [math] },
  { file: "src/rl/environments/m.ts", code: "export const a = (x: number) => Math.cos(x);", rules: [math] },
  { file: "src/rl/environments/toyText/drawX.ts", code: "export const a = Math.cos(1);", rules: [] },
  { file: "src/kernels/m5.ts", code: "export const a = Math.sqrt(2 ** -24) + Math.abs(-1);", rules: [] },
  {
    file: "src/kernels/ops/curves.ts",
    code: "export const a = (x: number) => Math.sin(x);",
    rules: [],
  },
  { file: "src/ui/m.ts", code: "export const a = (x: number) => Math.sin(x) + Math.random();", rules: [] },
  { file: "src/rl/r.ts", code: "export const a = () => Math.random();", rules: ["rlkit(seeded-randomness)"] },
  // Reasons for overruling the compiler or the linter.
  {
    file: "src/ui/x1.ts",
    code: "export const a = (x?: number) => x!;",
    rules: ["rlkit(explained-assertion)"],
  },
  {
    file: "src/ui/x2.ts",
    code: "// The caller has checked that it is set.\nexport const a = (x?: number) => x!;",
    rules: [],
  },
  {
    file: "src/ui/x3.ts",
    code: "export const a = (x: number) => x as unknown as string;",
    rules: ["rlkit(explained-assertion)"],
  },
  {
    file: "src/ui/x4.ts",
    code: "/* eslint-disable prefer-const */\nlet a = 1;\nexport { a };",
    rules: ["rlkit(explained-disable)"],
  },
  {
    file: "src/ui/x5.ts",
    code: "/* eslint-disable prefer-const -- another module assigns it */\nlet a = 1;\nexport { a };",
    rules: [],
  },
  {
    file: "src/ui/x6.ts",
    code: "export const a = (x: any) => x;",
    rules: ["typescript(no-explicit-any)"],
  },
  // Promises nobody waits for: this rule needs types.
  {
    file: "src/ui/p1.ts",
    code: "export function a() {\n  Promise.resolve(1);\n}",
    rules: ["typescript(no-floating-promises)"],
  },
  { file: "src/ui/p2.ts", code: "export async function a() {\n  await Promise.resolve(1);\n}", rules: [] },
  // Hooks of React, in the workbench only: other code may have functions called use.
  {
    file: "src/ui/h1.tsx",
    code: `import { useState } from "react";\nexport const A = (p: { on: boolean }) => {\n  if (p.on) useState(0);\n  return null;\n};`,
    rules: ["react-hooks(rules-of-hooks)"],
  },
  {
    file: "src/kernels/h2.ts",
    code: "export const a = (use: () => number) => (use() > 0 ? use() : 0);",
    rules: [],
  },
  // Tests that do not run.
  {
    file: "tests/any/skip.test.ts",
    code: `import { expect, it } from "vitest";\nit.skip("adds", () => {\n  expect(1 + 1).toBe(2);\n});`,
    rules: ["vitest(no-disabled-tests)"],
  },
  {
    file: "tests/any/only.test.ts",
    code: `import { expect, it } from "vitest";\nit.only("adds", () => {\n  expect(1 + 1).toBe(2);\n});`,
    rules: ["vitest(no-focused-tests)"],
  },
];

const layers = [
  "specs",
  "kernels",
  "evolution",
  "rl",
  "rl/spaces",
  "rl/environments",
  "rl/networks",
  "llm",
  "manifests",
  "agents",
  "agents/runtime/wasm",
  "agents/runtime/webgpu",
  "agents/classes",
  "storage",
  "tracking",
  "training",
  "training/loop",
  "training/executors",
  "workers",
  "cli",
  "hosting",
  "ui",
];

describe("lint rules", () => {
  let folder: string;
  let found: Map<string, string[]>;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "rlkit-lint-"));
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    for (const layer of layers) write(`src/${layer}/ok.ts`, "export const ok = 1;\nexport type Ok = 1;\n");
    for (const layer of layers) write(`src/${layer}/index.ts`, "export const ok = 1;\nexport type Ok = 1;\n");
    for (const door of ["cli/CliError", "ui/pwa/precache"])
      write(`src/${door}.ts`, "export const ok = 1;\nexport type Ok = 1;\n");
    write("tests/ok.ts", "export const ok = 1;\n");
    for (const { file, code } of snippets) write(file, `${code}\n`);
    write("tsconfig.json", readFileSync(path.join(root, "tsconfig.json"), "utf8"));
    write(
      ".oxlintrc.json",
      readFileSync(path.join(root, ".oxlintrc.json"), "utf8").replace('"./scripts', `"${root}/scripts`),
    );

    // Rules that need types look for the installed packages beside the sources.
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));

    const oxlint = path.join(root, "node_modules/oxlint/bin/oxlint");
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, "--format=json"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (stderr !== "") throw new Error(stderr);
    const report = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    found = new Map();
    for (const { code, filename } of report.diagnostics) {
      const file = path.relative(folder, path.resolve(folder, filename)).split(path.sep).join("/");
      found.set(file, [...(found.get(file) ?? []), code]);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(snippets)("$file: $code -> $rules", ({ file, rules }) => {
    expect(found.get(file) ?? []).toEqual(rules);
  });
});

describe.each(Object.entries(doorsOf))("doors of %s", (room, entries) => {
  it("are at most eight files that exist, each with a purpose", () => {
    const names = Object.keys(entries);
    expect(names.length).toBeLessThanOrEqual(8);
    expect(names.filter((name) => !existsSync(path.join(root, "src", room, name)))).toEqual([]);
    expect(Object.values(entries).filter((purpose) => purpose.length < 10)).toEqual([]);
  });
});
