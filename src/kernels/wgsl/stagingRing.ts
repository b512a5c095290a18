/** Reads by the host: staging buffers, of which small ones are kept for the next read, and waits for the GPU. */

/** Smallest size, so that reads of a few words share buffers. */
const LEAST = 256;
/** Larger buffers are needed only once per generation and are not worth keeping. */
const MOST_KEPT = 64 * 2 ** 10;
const KEPT = 3;

export class StagingRing {
  readonly #device: GPUDevice;
  readonly #free: GPUBuffer[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** A buffer of at least `bytes` bytes, to copy to and map. */
  take(bytes: number): GPUBuffer {
    const at = this.#free.findIndex(({ size }) => size >= bytes);
    const [kept] = at < 0 ? [] : this.#free.splice(at, 1);
    if (kept) return kept;
    let size = LEAST;
    while (size < bytes && size < MOST_KEPT) size *= 2;
    return this.#device.createBuffer({
      label: "rlkit staging",
      size: Math.max(size, bytes),
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
  }

  /** Returns a buffer to the ring; one whose mapping failed is not reused. */
  give(buffer: GPUBuffer): void {
    if (buffer.mapState === "mapped" && buffer.size <= MOST_KEPT && this.#free.length < KEPT) {
      buffer.unmap();
      this.#free.push(buffer);
    } else buffer.destroy();
  }

  destroy(): void {
    for (const buffer of this.#free.splice(0)) buffer.destroy();
  }
}

/** Time between nudges. */
const NUDGE_MS = 1;

const isFirefox = (): boolean =>
  typeof navigator !== "undefined" && (navigator.userAgent ?? "").includes("Firefox/");

/**
 * Returns the result of `wait` and nudges the queue in the meantime if needed. Firefox checks only every 100 ms whether the
 * GPU is done (bugzilla.mozilla.org/1870699): a wait takes about 103 ms even on an empty queue, and about 1.4 ms when
 * empty submits nudge it. Delete this function when Firefox itself responds within milliseconds.
 */
export async function nudged<T>(
  queue: Pick<GPUQueue, "submit">,
  wait: Promise<T>,
  needed: boolean = isFirefox(),
): Promise<T> {
  if (!needed) return await wait;
  const timer = setInterval(() => queue.submit([]), NUDGE_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}
