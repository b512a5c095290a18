/** A growable storage buffer from which blocks are allocated. */
import { BlockAllocator } from "../blockAllocator.ts";

const MIB = 2 ** 20;

export class GpuHeap {
  readonly #device: GPUDevice;
  readonly #label: string;
  readonly #blocks: BlockAllocator;
  #buffer: GPUBuffer;

  /** @param grown Called before the contents move to a larger buffer, to submit pending work first. */
  constructor(device: GPUDevice, label: string, bytes: number, grown: () => void) {
    this.#device = device;
    this.#label = label;
    this.#buffer = this.#create(bytes);
    this.#blocks = new BlockAllocator(bytes, (missing) => {
      grown();
      const start = this.#buffer.size;
      return { start, end: this.#grow(missing) };
    });
  }

  /** The current buffer; growth replaces it. */
  get buffer(): GPUBuffer {
    return this.#buffer;
  }

  /** Bytes in use. */
  get used(): number {
    return this.#blocks.used;
  }

  /** @throws RangeError when the buffer would exceed the device's limits. */
  allocate(bytes: number): number {
    return this.#blocks.allocate(bytes);
  }

  free(start: number, bytes: number): void {
    this.#blocks.free(start, bytes);
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  #create(size: number): GPUBuffer {
    return this.#device.createBuffer({
      label: this.#label,
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
  }

  #grow(missing: number): number {
    const before = this.#buffer;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#device.limits;
    const most = Math.floor(Math.min(maxBufferSize, maxStorageBufferBindingSize) / 256) * 256;
    const needed = before.size + missing;
    if (needed > most) {
      throw new RangeError(
        `out of GPU memory: ${Math.ceil(needed / MIB)} MiB of buffers are needed, the device allows ${Math.floor(most / MIB)} MiB; use a smaller population, network, batch or replay buffer`,
      );
    }
    const size = Math.min(most, Math.ceil(Math.max(needed, 1.5 * before.size) / 256) * 256);
    this.#buffer = this.#create(size);
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(before, 0, this.#buffer, 0, before.size);
    this.#device.queue.submit([encoder.finish()]);
    before.destroy();
    return size;
  }
}
