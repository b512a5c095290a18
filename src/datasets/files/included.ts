/**
 * Import it in a page's program that reads or writes HDF5 files: `import "rlkit/h5wasm"`. The package h5wasm must be installed. Node
 * finds the installed package by its name, and does not need this import.
 */
import { includeModule } from "../../kernels/devices.ts";

/** The module that reads and writes HDF5 files, loaded on first use. */
export const hdf5 = (): Promise<unknown> => import("h5wasm");

includeModule("h5wasm", hdf5);
