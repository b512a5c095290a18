import { remoteCalls, useRemotePlatform } from "../../../state/remotePlatform.ts";
import type { RunChoices } from "../RunOptions.tsx";
import { validValues } from "../startRun.ts";

/**
 * Submits the editor's manifest to the connected platform.
 *
 * @param machines Number of machines as the user typed it; empty lets the platform choose.
 * @returns the run's id
 * @throws Error if the manifest has problems or an option is not supported by a platform
 */
export async function submitRun(
  { name, seed, device, tracker }: RunChoices,
  machines: string,
): Promise<string> {
  const manifest = validValues();
  if (seed.trim() !== "")
    throw new Error(
      `seed: found "${seed.trim()}", but a platform reads the seed from mutation.rand_seed; set it there and leave this field empty.`,
    );
  if (device === "webgpu")
    throw new Error("device: found WebGPU, but a platform trains on CPUs; choose Auto or WebAssembly.");
  if (tracker.service !== "")
    throw new Error(
      `tracker: found ${tracker.service}, but trackers are not supported for remote runs; choose None.`,
    );
  const count = machines.trim();
  if (count !== "" && !/^[1-9]\d{0,3}$/.test(count))
    throw new Error(`Machines: found "${count}"; it must be a whole number from 1 to 9999, or empty.`);
  return remoteCalls().submit({
    manifest,
    project: useRemotePlatform.getState().project,
    name: name.trim() || null,
    num_nodes: count === "" ? null : Number(count),
  });
}
