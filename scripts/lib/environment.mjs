/** What must be there before any of the project's own tools can run: Node, and the locked dependencies. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const minimumNode = [20, 19];

/** Ends the process with advice when this Node is too old for the tools. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = minimumNode;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(
    `rlkit needs Node ${minimumNode.join(".")} or newer; this is Node ${process.versions.node}.\n` +
      "Install a newer one from https://nodejs.org (or with your version manager) and run the command again.",
  );
  process.exit(1);
}

/**
 * Installs the dependencies of package-lock.json when node_modules is absent or was made from another lockfile.
 * A stamp of the lockfile's hash tells; npm's own record decides where somebody ran npm by hand.
 *
 * @returns whether the dependencies are there.
 */
export function installMissing() {
  const lockfile = path.join(root, "package-lock.json");
  const stamp = path.join(root, "node_modules", ".rlkit-stamp");
  const wanted = createHash("sha256").update(readFileSync(lockfile)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;

  if (!installedAsLocked(lockfile)) {
    console.log("Installing the dependencies of package-lock.json ...");
    const npm = npmCommand("ci", "--no-audit", "--no-fund");
    const result = spawnSync(npm.command, npm.args, { cwd: root, stdio: "inherit" });
    if (result.status !== 0) {
      console.error("npm ci failed; its message stands above. Is the package registry within reach?");
      return false;
    }
  }
  writeFileSync(stamp, wanted);
  return true;
}

/**
 * Whether every package that npm says it installed is the locked one, and none is missing.
 *
 * @param {string} lockfile
 */
function installedAsLocked(lockfile) {
  const record = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const locked = JSON.parse(readFileSync(lockfile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(locked).every(
    ([name, entry]) => name === "" || entry.optional || installed[name]?.version === entry.version,
  );
}

/**
 * How to start npm: through the running npm's own script, since npm.cmd cannot be spawned without a shell.
 *
 * @param {string[]} args
 */
function npmCommand(...args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js")) return { command: process.execPath, args: [script, ...args] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", args };
}
