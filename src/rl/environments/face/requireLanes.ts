import { machineMemory, memoryNeed } from "../../../kernels/devices.ts";

/** Lower bound of a lane's memory: its counters, the numbers of one step, and the objects that hold them. */
const LANE_BYTES = 1_000;

/** @throws RangeError unless `num_envs` is a positive integer and the machine has memory for the lanes. */
export function requireLanes(num_envs: number): number {
  if (!Number.isInteger(num_envs) || num_envs < 1)
    throw new RangeError(`num_envs: found ${num_envs}, allowed positive integers`);
  const most = Math.floor(machineMemory().bytes / LANE_BYTES);
  if (num_envs > most)
    throw new RangeError(
      `num_envs: found ${num_envs}; ${memoryNeed(num_envs * LANE_BYTES)}; allowed: at most ${most}`,
    );
  return num_envs;
}
