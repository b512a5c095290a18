/** What the command asks of its output leaves `import` as it is. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { compiled } from "../support/compiled.ts";

it("a package behind a symbolic link is imported from its real place, where output is a pipe", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "rlkit-link-")));
  try {
    const [real, linked] = [path.join(folder, "real"), path.join(folder, "node_modules/linked")];
    mkdirSync(real);
    mkdirSync(path.dirname(linked));
    writeFileSync(path.join(real, "package.json"), '{ "type": "module", "exports": "./index.js" }');
    writeFileSync(path.join(real, "index.js"), "export const url = import.meta.url;");
    symlinkSync(real, linked);
    const script = path.join(folder, "main.mjs");
    const stats = JSON.stringify(pathToFileURL(compiled("src/cli/hangUp.ts")).href);
    writeFileSync(
      script,
      `const { descriptorStats } = await import(${stats});
      descriptorStats(1);
      console.log((await import("linked")).url);`,
    );
    const printed = execFileSync(process.execPath, [script], { encoding: "utf8" });
    expect(printed.trim()).toBe(pathToFileURL(path.join(real, "index.js")).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
