import { OutOfMemoryError } from "../../kernels/devices.ts";
import { GpuFault } from "../../kernels/webgpu.ts";
import { reasonOf } from "../../storage/files.ts";

const isOfMemory = (error: unknown): boolean =>
  error instanceof OutOfMemoryError ||
  (error instanceof GpuFault && error.kind === "out-of-memory") ||
  (error instanceof Error && isOfMemory(error.cause));

/**
 * Runs `work` of a language-model run.
 * @throws The error of `work`; if a device is out of memory, with advice on what to reduce.
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
