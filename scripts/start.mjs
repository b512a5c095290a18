/**
 * `npm start`: installs what is missing, builds the workbench when its sources changed, serves it on this machine
 * and opens it. It serves the production build, because React's development build keeps a record of every
 * update, which fills the memory in a run of hours. For work on the workbench itself there is `npm run dev`.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { buildAppIfStale } from "./lib/build.mjs";
import { installMissing, requireNode, root } from "./lib/environment.mjs";

const defaultPort = 4242;

requireNode();
const { values } = parseArgs({
  options: { port: { type: "string" }, "no-open": { type: "boolean" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log(`npm start [-- --port N (default ${defaultPort})] [--no-open]`);
  process.exit(0);
}
const port = Number(values.port ?? process.env.PORT ?? defaultPort);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`The port must be a whole number from 0 to 65535, not "${values.port ?? process.env.PORT}".`);
  process.exit(2);
}

if (!installMissing()) process.exit(1);
if (!(await buildAppIfStale())) {
  console.error("The workbench could not be built; the reason stands above.");
  process.exit(1);
}

const { preview } = await import("vite");
const server = await preview({ root, logLevel: "warn", preview: { port } });
const address = server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`;
console.log(`The workbench is at ${address}  (Ctrl-C ends it)`);
if (port !== 0 && new URL(address).port !== String(port)) {
  console.log(
    `Port ${port} was taken. A browser keeps runs per address, so runs started there are not shown here.`,
  );
}
if (!values["no-open"]) openInBrowser(address);

/**
 * Opens the address where a desktop is there; without one, or when it fails, the printed address is enough.
 *
 * @param {string} url
 */
function openInBrowser(url) {
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  /** @type {Partial<Record<NodeJS.Platform, string[]>>} */
  const byPlatform = {
    darwin: ["open", url],
    win32: ["rundll32", "url.dll,FileProtocolHandler", url],
    ...(desktop ? { linux: ["xdg-open", url] } : {}),
  };
  const command = process.env.CI ? undefined : byPlatform[process.platform];
  if (command === undefined) return;
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}
