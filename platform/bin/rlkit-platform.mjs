#!/usr/bin/env node
/** Runs `rlkit-platform` from its sources: this workspace is used from a clone of rlkit. */
import { register } from "tsx/esm/api";

register();
await import("../src/main.ts");
