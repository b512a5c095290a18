#!/usr/bin/env node
/** The program `rlkit-platform`. */
import { type Program, processIo, runProgram } from "../../src/hosting/index.ts";
import { doctor } from "./commands/doctor.ts";
import { create, list, revoke } from "./commands/key.ts";
import { serve } from "./commands/serve.ts";
import { worker } from "./commands/worker.ts";

const PLATFORM: Program = {
  name: "rlkit-platform",
  about: "rlkit-platform trains submitted runs, on this machine and on others that join it.",
  commands: [serve, worker, create, list, revoke, doctor],
  streams: [],
  notes: [
    "Exit codes: 0 success; 1 a check failed; 2 invalid command line, or a resource that cannot be used.",
  ],
};

const io = processIo();
process.exitCode = io.exitCode(await runProgram(PLATFORM, process.argv.slice(2), io));
