/** A cookie: workers that start while it is there load each module of the library by itself (tests/support/bundledWorkers.ts). */
export const SEPARATE_MODULES = "rlkit-separate-modules=1";
