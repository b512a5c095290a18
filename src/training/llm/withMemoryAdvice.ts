import { OutOfMemoryError } from "../../kernels/OutOfMemoryError.ts";
import { GpuFault } from "../../kernels/wgsl/gpuFault.ts";
import { reasonOf } from "../../storage/storageError.ts";

const isOfMemory = (error: unknown): boolean =>
  error instanceof OutOfMemoryError ||
  (error instanceof GpuFault && error.kind === "out-of-memory") ||
  (error instanceof Error && isOfMemory(error.cause));

/**
 * Does `work` of a language model's run.
 * @throws What it throws; where a device has no memory left, with what to reduce.
 */
export async function withMemoryAdvice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isOfMemory(cause)) throw cause;
    const advice =
      "of a language model: lower algorithm.micro_batch_size_per_gpu, network.max_context_length or lora_config.lora_r";
    throw new Error(`${reasonOf(cause)}; ${advice}`, { cause });
  }
}
