/**
 * Child processes with empty environment variables, a memory limit and, where
 * Node supports them, permissions.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { SandboxLostError } from "../SandboxLostError.ts";
import type { SandboxPort } from "../SandboxPort.ts";
import type { ChildProgram } from "./childProgram.ts";
import { watchChild } from "./childrenOfThreads.ts";

/** Heap limit in MB. */
const HEAP_MB = 512;

export interface ChildOptions {
  /** Additional Node arguments. */
  readonly flags?: readonly string[];
  /** Limit in MB on all writable memory of the process, enforced on Linux only (default: no limit). */
  readonly data_mb?: number;
}

/**
 * Starts a child process that can read only its own program files, write no files, and
 * start no processes or threads.
 * @throws SandboxLostError if it cannot start.
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
    // A module's output must not mix with the output of a command.
    stdio: ["ignore", 2, 2, "ipc"],
  });
  await isReady(child);
  watchChild(child);
  return portOf(child);
}

/**
 * Buffers are outside Node's heap, so the heap limit does not count them. If the system refuses this limit,
 * a lower one already applies.
 */
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

/** This Node's name for its permission flag; Node before version 20 has none. */
function permissions(readable: readonly string[]): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const name = ["--permission", "--experimental-permission"].find((flag) => flags.has(flag));
  if (name === undefined) return [];
  // Permissions print a warning that they are experimental.
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
      // If the child is gone, its exit event reports that.
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

/** When out of memory, Node ends by SIGABRT or with exit code 134. */
const reasonOf = (code: number | null, signal: string | null): string =>
  signal === "SIGABRT" || code === 134
    ? `its process ran out of memory (limit: ${HEAP_MB} MB)`
    : `its process ended with ${signal === null ? `exit code ${code}` : signal}`;
