import { fromHalfFloats, toHalfFloats } from "../../storage/files.ts";
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from "../../storage/index.ts";
import { CHECKSUM_KEY, NO_DIGITS, seal } from "./agentChecksum.ts";

/**
 * An agent's file with its weights as half floats, which `decodeAgent` reads too. Vectors, which are biases and running
 * statistics, keep their precision, as does a matrix with numbers that half floats do not have.
 */
export function halfAgentFile(bytes: Uint8Array): Uint8Array {
  const { tensors, metadata } = decodeSafetensors(bytes, "agent");
  const halved = Array.from(
    tensors,
    ([name, { shape, data }]) => [name, { shape, data: halves(shape, data) ?? data }] as const,
  );
  // The checksum comes first.
  return seal(encodeSafetensors(halved, { ...metadata, [CHECKSUM_KEY]: NO_DIGITS }));
}

function halves(shape: StoredTensor["shape"], data: StoredTensor["data"]): Uint16Array | null {
  if (!(data instanceof Float32Array) || shape.length < 2) return null;
  const half = toHalfFloats(data);
  return fromHalfFloats(half).every(Number.isFinite) ? half : null;
}
