/**
 * Import it in a page's program that simulates MuJoCo's tasks: `import "rlkit/mujoco"`. The package @mujoco/mujoco must be installed. Node finds the
 * installed package by its name, and does not need this import.
 */
import { includeModule } from "../../../kernels/devices.ts";

/** The module of MuJoCo, loaded on first use. */
export const mujoco = (): Promise<unknown> => import("@mujoco/mujoco");

includeModule("@mujoco/mujoco", mujoco);
