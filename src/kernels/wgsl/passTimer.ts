/** Times compute passes with the GPU's own clock, if the device has `timestamp-query`. */
import type { ProgramMeter } from "../programMeters.ts";

/** Maximum passes timed between two read-backs; more are untimed. WebGPU allows 4096 timestamps in a set. */
const MOST_PASSES = 2048;
/** A start and an end of 8 bytes each. */
const PASS_BYTES = 16;
const NS_PER_MS = 1e6;

/** A pass, and its number of runs of one program. */
interface TimedPass {
  readonly meter: ProgramMeter;
  readonly runs: number;
}

/** A transfer of timestamps to the host: `copy` copies `bytes` to a buffer, and `take` receives them. */
export interface TimestampTransfer {
  readonly bytes: number;
  copy(encoder: GPUCommandEncoder, to: GPUBuffer, at: number): void;
  take(copied: ArrayBuffer): void;
}

export class PassTimer {
  readonly #set: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  /** Passes since the last transfer, in the order of their timestamps. */
  #passes: TimedPass[] = [];

  constructor(gpu: GPUDevice) {
    this.#set = gpu.createQuerySet({ type: "timestamp", count: 2 * MOST_PASSES });
    this.#resolved = gpu.createBuffer({
      label: "rlkit timestamps",
      size: MOST_PASSES * PASS_BYTES,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
  }

  /** Whether passes are untimed until the next transfer. */
  get isFull(): boolean {
    return this.#passes.length === MOST_PASSES;
  }

  /** The descriptor of a pass with `runs` runs of one program. */
  pass(meter: ProgramMeter, runs: number): GPUComputePassDescriptor {
    if (this.isFull) return {};
    const at = 2 * this.#passes.length;
    this.#passes.push({ meter, runs });
    return {
      timestampWrites: {
        querySet: this.#set,
        beginningOfPassWriteIndex: at,
        endOfPassWriteIndex: at + 1,
      },
    };
  }

  /** The timestamps since the last transfer. They must be copied before another pass begins. */
  transfer(): TimestampTransfer {
    const passes = this.#passes;
    this.#passes = [];
    const bytes = passes.length * PASS_BYTES;
    return {
      bytes,
      copy: (encoder, to, at) => {
        if (bytes === 0) return;
        encoder.resolveQuerySet(this.#set, 0, 2 * passes.length, this.#resolved, 0);
        encoder.copyBufferToBuffer(this.#resolved, 0, to, at, bytes);
      },
      take: (copied) => {
        const stamps = new BigUint64Array(copied);
        for (const [i, { meter, runs }] of passes.entries()) {
          const ns = Number((stamps[2 * i + 1] ?? 0n) - (stamps[2 * i] ?? 0n));
          // Clocks of some GPUs are reset now and then; WebGPU then allows any values for both timestamps.
          if (ns >= 0) meter.took(ns / NS_PER_MS, runs);
        }
      },
    };
  }

  destroy(): void {
    this.#set.destroy();
    this.#resolved.destroy();
  }
}
