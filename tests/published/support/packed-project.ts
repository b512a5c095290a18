import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export const packageManifest = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
) as PackageManifest;

/** A project that has installed the package as it would be published: with its dependencies and nothing else. */
export interface PackedProject {
  readonly directory: string;
  /** Where the package lies. */
  readonly installed: string;
  /** The built command that `npx rlkit` runs. */
  readonly command: string;
  remove(): void;
}

/** Installs what was packed (packOnce.ts) in a new project. */
function packedProject(): PackedProject {
  const { name, bin, dependencies } = packageManifest;
  const directory = mkdtempSync(path.join(tmpdir(), "rlkit-consumer-"));
  const modules = path.join(directory, "node_modules");
  const installed = path.join(modules, name);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", inject("tarball"), "-C", installed, "--strip-components=1"]);
  for (const dependency of [...Object.keys(dependencies), "@types/node"]) {
    mkdirSync(path.dirname(path.join(modules, dependency)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", dependency), path.join(modules, dependency));
  }
  writeFileSync(path.join(directory, "package.json"), JSON.stringify({ type: "module" }));
  return {
    directory,
    installed,
    command: path.join(installed, bin.rlkit ?? ""),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A fixture for Vitest's `test.extend`: a packed project, which the files of a process share. Each writes what it needs. */
export const packed = [
  "packed",
  { scope: "worker" },
  ({}, { onCleanup }: { onCleanup: (clean: () => void) => void }): PackedProject => {
    const project = packedProject();
    onCleanup(() => project.remove());
    return project;
  },
] as const;
