import type { OpenSandbox } from "../SandboxPort.ts";
import { childProgram } from "./childProgram.ts";
import { ignoreInspectorSignal } from "./childrenOfThreads.ts";
import { confinement } from "./confinement.ts";
import { startChild } from "./startChild.ts";

/**
 * A child process for one module, in a realm of ECMAScript's names, confined as far as the system allows.
 */
export const nodeSandbox: OpenSandbox = async () => {
  ignoreInspectorSignal();
  return startChild(childProgram(), await confinement());
};
