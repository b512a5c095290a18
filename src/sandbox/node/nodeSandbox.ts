import { execFile } from "node:child_process";
import type { OpenSandbox } from "../SandboxPort.ts";
import { childProgram } from "./childProgram.ts";
import { ignoreInspectorSignal } from "./childrenOfThreads.ts";
import { startChild } from "./startChild.ts";

/**
 * Commands that start another one, from the most confined. With the first, the process has a network and processes of its
 * own, and ends with its parent. A system may have neither command, or forbid namespaces, as most containers do.
 */
const WRAPPERS: readonly (readonly string[])[] = [
  [
    ...["setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--"],
    ...["unshare", "--user", "--net", "--ipc", "--pid", "--fork", "--kill-child=SIGKILL", "--"],
    // The first process of a namespace ignores its own signals, so that Node could not abort.
    ...["/bin/sh", "-c", '"$0" "$@"; exit $?'],
  ],
  ["setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--"],
];

const works = ([command = "", ...args]: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(command, [...args, "true"], { env: {} }, (error) => resolve(error === null));
  });

async function find(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  for (const wrapper of WRAPPERS) if (await works(wrapper)) return wrapper;
  return [];
}

let found: Promise<readonly string[]> | null = null;

/** The most confined command that works here, with its arguments; none where none does. */
export function confinement(): Promise<readonly string[]> {
  found ??= find();
  return found;
}

/**
 * A child process for one module, in a realm of ECMAScript's names, confined as far as the system allows.
 */
export const nodeSandbox: OpenSandbox = async () => {
  ignoreInspectorSignal();
  return startChild(childProgram(), await confinement());
};
