/** Sandboxes of Node for environments and for modules. */
import type { OpenSandbox } from "../SandboxPort.ts";
import { childProgram } from "./childProgram.ts";
import { startChild } from "./startChild.ts";

/** A child process for one environment's module. **Its network is not closed**: Node has no permission for it. */
export const nodeSandbox: OpenSandbox = () => startChild(childProgram("environment"));

/** Megabytes that a module takes with its buffers and with Node itself. */
const DATA_MB = 1024;

/**
 * A child process for one module, in a realm of its own: it has the names of ECMAScript alone, so neither network nor
 * timers nor anything of Node, and imports nothing.
 */
export const moduleSandbox: OpenSandbox = () =>
  startChild(childProgram("module"), {
    flags: [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      // A second lock: whoever gets hold of a function of Node's own realm makes no program of it.
      "--disallow-code-generation-from-strings",
    ],
    data_mb: DATA_MB,
  });
