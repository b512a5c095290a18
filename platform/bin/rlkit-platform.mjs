#!/usr/bin/env node
/** `rlkit-platform` from its sources: the workspace is used from a clone of rlkit. */
import { register } from "tsx/esm/api";

register();
await import("../src/main.ts");
