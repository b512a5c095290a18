import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { codeOf, reasonOf } from "../../storage/files.ts";
import { placesOf } from "../app/documentation.ts";
import {
  isThisMachine,
  type ServedDirectory,
  type ServingOptions,
  serveDirectory,
  shownHost,
} from "../app/serveDirectory.ts";
import { headersOf } from "../app/siteHeaders.ts";
import { CliError, type CliIo, EXIT, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";

const DEFAULT_PORT = 4242;
const DEFAULT_HOST = "localhost";
/** Number of further ports to try when a port is taken. */
const NEXT_PORTS = 20;

export const ui: Command = {
  name: "ui",
  summary: "Serves the workbench on this machine and opens it; Ctrl-C stops it.",
  operands: [],
  options: {
    port: { value: "N", help: `Port, or the next free one if it is taken (default: ${DEFAULT_PORT}).` },
    host: {
      value: "NAME",
      help: `Address to listen on (default: ${DEFAULT_HOST}, this machine only).`,
    },
    "no-open": { help: "Does not open a browser." },
  },
  run: runUi,
};

async function runUi(line: CommandLine, io: CliIo): Promise<number> {
  const port = line.integer("port", 0) ?? DEFAULT_PORT;
  if (port > 65_535) throw usageError(`--port: found "${port}", allowed integers from 0 to 65535`);
  const host = line.text("host") ?? DEFAULT_HOST;
  const app = appDirectory();
  const served = await listen(app, { host, port, headersOf, placeOf: placesOf(app) });
  const stopped = new Promise<void>((resolve) => void io.onInterrupt(resolve));

  const url = `http://${shownHost(host)}:${served.port}/`;
  io.stdout.write(`The workbench is at ${url}  (Ctrl-C stops it)\n`);
  if (port !== 0 && served.port !== port) {
    const loss = "A browser stores runs per address, so runs started there are not shown here.";
    io.stdout.write(`Port ${port} was taken. ${loss}\n`);
  }
  if (!isThisMachine(host)) {
    const loss =
      "browsers give a page from another machine neither storage for runs nor a GPU unless it is served over https";
    io.stderr.write(`--host ${host}: others can open the workbench too; ${loss}.\n`);
  }
  if (!line.flag("no-open")) openInBrowser(url);
  await stopped;
  await served.close();
  return EXIT.ok;
}

/**
 * Directory of the built workbench: in the package beside the built command, in a clone also
 * found from the sources.
 */
function appDirectory(): string {
  const places = ["../../../app", "../../../dist/app"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(`${place}/index.html`));
  if (found !== undefined) return found;
  throw new CliError(
    `ui: the workbench was not found: ${places[0]} has no index.html; install the package again, or in a clone run npm run build`,
    EXIT.usage,
  );
}

/** Listens on the port, or on the first free port after it. */
async function listen(directory: string, options: ServingOptions): Promise<ServedDirectory> {
  const { host, port } = options;
  for (let next = port; ; next++) {
    try {
      return await serveDirectory(directory, { ...options, port: next });
    } catch (error) {
      if (codeOf(error) === "EADDRINUSE" && next < Math.min(port + NEXT_PORTS, 65_535)) continue;
      const found = `ui: cannot listen on ${host}:${next} (${reasonOf(error)})`;
      throw new CliError(`${found}; choose another --port or --host`, EXIT.usage, { cause: error });
    }
  }
}

/** Opens the URL in a browser if there is a desktop. Failures are ignored because the URL is also printed. */
function openInBrowser(url: string): void {
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const byPlatform: Partial<Record<NodeJS.Platform, readonly string[]>> = {
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
