/** What `npx rlkit init` writes, with the packed package: each of its parts runs at once. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { describe, expect } from "vitest";
import { z } from "zod";
import { root } from "../../scripts/lib/environment.mjs";
import { serveDirectory } from "../../src/cli/app/serveDirectory.ts";
import { appTest } from "../e2e/support/app-test.ts";
import { packageManifest, packed } from "./support/packed-project.ts";

const it = appTest.extend(...packed);

const Needs = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

describe("a project that init wrote", () => {
  let project: string;
  let command: string;

  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  const read = (name: string) => readFileSync(path.join(project, name), "utf8");

  it.beforeAll(({ packed }) => {
    ({ command } = packed);
    project = path.join(packed.directory, "begun");
    const { status, stdout } = spawnSync(process.execPath, [command, "init", project], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, expect.stringContaining("npm run page")]);
    // The package itself is found above.
    for (const name of ["react", "react-dom", "vite", "@vitejs/plugin-react"]) {
      const link = path.join(project, "node_modules", name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(root, "node_modules", name), link);
    }
  });

  it("needs this version, and the packages that it is tested with", () => {
    const { dependencies, devDependencies } = Needs.parse(JSON.parse(read("package.json")));
    const { rlkit, ...others } = { ...dependencies, ...devDependencies };
    expect(rlkit).toBe(`^${packageManifest.version}`);
    const tested = Object.keys(others).map((name) => [name, `^${packageManifest.devDependencies[name]}`]);
    expect(others).toEqual(Object.fromEntries(tested));
  });

  it("has a manifest that is valid, and a script that trains it", () => {
    expect(run(command, "validate", "manifest.yaml")).toMatchObject({ status: 0, stderr: "" });
    const fewer = read("manifest.yaml")
      .replace("max_steps: 100000", "max_steps: 512")
      .replace("evo_steps: 10000", "evo_steps: 256");
    expect(fewer).toContain("max_steps: 512, evo_steps: 256");
    writeFileSync(path.join(project, "manifest.yaml"), fewer);
    const { status, stdout } = run("train.mjs");
    expect([status, stdout]).toEqual([0, expect.stringContaining("steps upright")]);
    expect(existsSync(path.join(project, "best.safetensors"))).toBe(true);
  });

  it("has a page that trains and draws a curve", async ({ page }) => {
    await build({ root: project, logLevel: "error" });
    const served = await serveDirectory(path.join(project, "dist"), {
      host: "127.0.0.1",
      port: 0,
      headersOf: () => ({}),
    });
    try {
      await page.goto(`http://127.0.0.1:${served.port}/`);
      const points = () => page.locator("polyline").first().getAttribute("points");
      await expect.poll(points).toMatch(/^[\d.]+,[\d.]+ [\d.]+,[\d.]+/);
      expect(await page.getByRole("status").textContent()).toMatch(/: at best \d+ of 500 steps upright$/);
    } finally {
      await served.close();
    }
  });

  it("is not overwritten", () => {
    const { status, stderr } = run(command, "init", project);
    expect([status, stderr]).toEqual([
      2,
      `rlkit: init: ${project} has files (.gitignore); name a directory that is new or empty\n`,
    ]);
  });
});
