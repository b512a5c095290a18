/** Sandboxes of Node: child processes with an empty environment, a limit of memory and, where Node has them, permissions. */
import { type ChildProcess, fork } from "node:child_process";
import { SandboxLostError } from "../SandboxLostError.ts";
import type { OpenSandbox, SandboxPort } from "../SandboxPort.ts";
import { childProgram } from "./childProgram.ts";
import { watchChild } from "./childrenOfThreads.ts";

/** Megabytes that a module's objects may take. */
const HEAP_MB = 512;

/**
 * A child process for one module. It has no file but its own program to read, writes none, starts neither processes nor
 * threads, and has an empty environment. **Its network is not closed**: Node has no permission for it.
 */
export const nodeSandbox: OpenSandbox = async () => {
  const { entry, readable } = childProgram();
  const child = fork(entry, [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...permissions(readable)],
    serialization: "advanced",
    // What a module prints is no part of what a command prints.
    stdio: ["ignore", 2, 2, "ipc"],
  });
  await isReady(child);
  watchChild(child);
  return portOf(child);
};

/** @throws SandboxLostError for a child process that cannot start. */
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
