/** The lanes of a slot as a file. */
import type { LaneState } from "../../agents/members.ts";
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../storage/index.ts";

/** Its name in a checkpoint. */
export const lanesFile = (slot: number): string => `lanes_${slot}.safetensors`;

export const encodeLanes = ({ agent, buffers }: LaneState): Uint8Array =>
  encodeSafetensors(
    Object.entries(buffers).map(([name, data]) => [name, { shape: [data.length], data }]),
    { agent: `${agent}` },
  );

/** @param path Name for errors. @throws StorageError "corrupt" for a file of something else. */
export function decodeLanes(bytes: Uint8Array, path: string): LaneState {
  const { tensors, metadata } = decodeSafetensors(bytes, path);
  const agent = Number(metadata.agent);
  const buffers = [...tensors].map(([name, { data }]) => [name, data] as const);
  const fits = buffers.every(([, data]) => data instanceof Float32Array || data instanceof Int32Array);
  if (!fits || !Number.isInteger(agent)) throw new StorageError("corrupt", path, "has no lanes");
  return { agent, buffers: Object.fromEntries(buffers) as LaneState["buffers"] };
}
