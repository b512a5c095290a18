#!/usr/bin/env node
import { main } from "./main.ts";
import { processIo } from "./processIo.ts";

const io = processIo();
process.exitCode = io.exitCode(await main(process.argv.slice(2), io));
