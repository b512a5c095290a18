/** Installs packages of Debian where that is one command. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs a package; does nothing on other systems, and where that would need a password.
 *
 * @param {string} name of the package
 * @param {string} reason
 */
export function installOnDebian(name, reason) {
  const prefix = administratorPrefix();
  if (!existsSync("/etc/debian_version") || prefix === undefined) return;
  console.log(`${reason}; installing Debian's ${name} package ...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", name]]) {
    const [command = "", ...rest] = [...prefix, "apt-get", ...args];
    spawnSync(command, rest, { stdio: ["ignore", "inherit", "inherit"], env: environment });
  }
}

/** The words before a command that run it as administrator, or undefined where that is not possible. */
function administratorPrefix() {
  if (process.getuid?.() === 0) return [];
  const silent = spawnSync("sudo", ["-n", "true"], { stdio: "ignore" });
  return silent.status === 0 ? ["sudo", "-n"] : undefined;
}
