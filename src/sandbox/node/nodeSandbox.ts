/** Node sandboxes for environments and for modules. */
import type { OpenSandbox } from "../SandboxPort.ts";
import { childProgram } from "./childProgram.ts";
import { startChild } from "./startChild.ts";

/**
 * A child process for one environment's module. **Its network is not closed**: Node has no permission for it.
 */
export const nodeSandbox: OpenSandbox = () => startChild(childProgram("environment"));

/** Memory limit of a module in MB, including its buffers and Node itself. */
const DATA_MB = 1024;

/**
 * A child process for one module, in a separate realm with ECMAScript globals only: no network, no timers,
 * nothing of Node, and no imports.
 */
export const moduleSandbox: OpenSandbox = () =>
  startChild(childProgram("module"), {
    flags: [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      // A second safeguard: code that reaches a function of Node's own realm cannot compile strings with it.
      "--disallow-code-generation-from-strings",
    ],
    data_mb: DATA_MB,
  });
