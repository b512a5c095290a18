/** The lanes of a slot as a file. */
import type { LaneState } from "../../agents/members.ts";
import { decodeSafetensors, encodeSafetensors, StorageError } from "../../storage/index.ts";

/** Its name in a checkpoint. */
export const lanesFile = (slot: number): string => `lanes_${slot}.safetensors`;

/** Name of the tensor with the bytes of `host`, in words. */
const HOST = "host";

/** Bytes as words; the last one is filled up with zeros. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

export const encodeLanes = ({ agent, buffers, host }: LaneState): Uint8Array =>
  encodeSafetensors(
    Object.entries({ ...buffers, ...(host && { [HOST]: wordsOf(host) }) }).map(([name, data]) => [
      name,
      { shape: [data.length], data },
    ]),
    { agent: `${agent}`, ...(host && { host_bytes: `${host.length}` }) },
  );

/** @param path Name for errors. @throws StorageError "corrupt" for a file of something else. */
export function decodeLanes(bytes: Uint8Array, path: string): LaneState {
  const { tensors, metadata } = decodeSafetensors(bytes, path);
  const agent = Number(metadata.agent);
  const size = Number(metadata.host_bytes ?? 0);
  const words = tensors.get(HOST)?.data;
  const buffers = [...tensors]
    .map(([name, { data }]) => [name, data] as const)
    .filter(([name]) => name !== HOST);
  const fits = buffers.every(([, data]) => data instanceof Float32Array || data instanceof Int32Array);
  const hasHost = words === undefined ? size === 0 : words.length === Math.ceil(size / 4);
  if (!fits || !hasHost || !Number.isInteger(agent)) throw new StorageError("corrupt", path, "has no lanes");
  return {
    agent,
    buffers: Object.fromEntries(buffers) as LaneState["buffers"],
    ...(words && { host: new Uint8Array(words.buffer as ArrayBuffer, 0, size) }),
  };
}
