/** Packs what is built, once for all processes of end-to-end tests: npm takes some seconds of processor time for it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../../scripts/lib/environment.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The package as it would be published. */
    readonly tarball: string;
  }
}

/** Vitest calls this before its workers start. @returns what takes the package away after them. */
export function setup({ provide }: TestProject): () => void {
  const directory = mkdtempSync(path.join(tmpdir(), "rlkit-packed-"));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", directory];
  const packed = execFileSync(npm, args, { cwd: root, encoding: "utf8" });
  provide("tarball", path.join(directory, packed.trim().split("\n").at(-1) ?? ""));
  return () => rmSync(directory, { recursive: true, force: true });
}
