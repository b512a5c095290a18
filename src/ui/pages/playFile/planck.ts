/** Planck for the program of a play file, which is made without it (scripts/lib/playFile.mjs). */
import * as planck from "planck";

Object.assign(globalThis, { planck });
