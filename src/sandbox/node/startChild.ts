/** Child processes with an empty environment, a limit of memory and, where Node has them, permissions. */
import { type ChildProcess, spawn } from "node:child_process";
import { SandboxLostError } from "../SandboxLostError.ts";
import type { SandboxPort } from "../SandboxPort.ts";
import type { ChildProgram } from "./childProgram.ts";
import { watchChild } from "./childrenOfThreads.ts";

/** Megabytes that a module's objects may take. */
const HEAP_MB = 512;

export interface ChildOptions {
  /** Further arguments of Node. */
  readonly flags?: readonly string[];
  /** Megabytes of all memory that the process writes to, which Linux keeps; no limit unless given. */
  readonly data_mb?: number;
}

/**
 * A child process has no file but its own program to read, writes none, and starts neither processes nor threads.
 * @throws SandboxLostError for one that cannot start.
 */
export async function startChild(
  { entry, readable }: ChildProgram,
  { flags = [], data_mb }: ChildOptions = {},
): Promise<SandboxPort> {
  const node = [
    process.execPath,
    `--max-old-space-size=${HEAP_MB}`,
    ...permissions(readable),
    ...flags,
    entry,
  ];
  const [command = "", ...args] =
    data_mb === undefined || process.platform !== "linux" ? node : withDataLimit(node, data_mb);
  const child = spawn(command, args, {
    env: {},
    serialization: "advanced",
    // What a module prints is no part of what a command prints.
    stdio: ["ignore", 2, 2, "ipc"],
  });
  await isReady(child);
  watchChild(child);
  return portOf(child);
}

/** Buffers are no objects of Node's heap, whose limit does not count them. Where the limit is refused there is a lower one. */
const withDataLimit = (command: readonly string[], megabytes: number): string[] => [
  "/bin/sh",
  "-c",
  `ulimit -d ${megabytes * 1024} 2>/dev/null; exec "$0" "$@"`,
  ...command,
];

const isReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const lost = (reason: string): void =>
      reject(new SandboxLostError(`the sandbox could not be started: ${reason}`));
    child.once("message", () => {
      child.removeAllListeners();
      resolve();
    });
    child.once("error", (error) => lost(error.message));
    child.once("exit", (code, signal) => lost(reasonOf(code, signal)));
  });

/** The name that this Node knows its permissions by; none before version 20. */
function permissions(readable: readonly string[]): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const name = ["--permission", "--experimental-permission"].find((flag) => flags.has(flag));
  if (name === undefined) return [];
  // It warns of itself that it is new.
  return [
    name,
    "--disable-warning=ExperimentalWarning",
    ...readable.map((place) => `--allow-fs-read=${place}${place.endsWith(".json") ? "" : "/*"}`),
  ];
}

function portOf(child: ChildProcess): SandboxPort {
  let hasEnded = false;
  return {
    post: (message) => {
      // A child that is gone is told of by its end.
      if (child.connected) child.send(message as object, () => undefined);
    },
    listen: (onMessage, onEnd) => {
      const ended = (reason: string): void => {
        if (hasEnded) return;
        hasEnded = true;
        onEnd(reason);
      };
      child.on("message", onMessage);
      child.on("error", (error) => ended(error.message));
      child.on("exit", (code, signal) => ended(reasonOf(code, signal)));
    },
    end: () => {
      hasEnded = true;
      child.kill("SIGKILL");
    },
  };
}

/** Node ends itself by SIGABRT, or with a code of 128 and more, where it has no memory left. */
const reasonOf = (code: number | null, signal: string | null): string =>
  signal === "SIGABRT" || code === 134
    ? `its process ended without memory (${HEAP_MB} MB are allowed)`
    : `its process ended with ${signal === null ? `exit code ${code}` : signal}`;
