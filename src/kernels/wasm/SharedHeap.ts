/** A linear memory that the devices of several threads use, so that read-only buffers are in memory once. */

/** Of the engine: 64 KiB. */
export const PAGE = 65_536;
/** Most pages of a memory: 4 GiB. */
const MOST_PAGES = 65_536;

/** Words of the first cache line, which no device allocates. */
const [PLACE, PULSE] = [0, 1] as const;
/** Values of the first word other than the address of what has been made. */
const [NOTHING, BEGUN] = [0, 1] as const;

/** Pause between looks at what another thread makes. */
const LOOK_MS = 20;
/** A thread that makes something and shows no progress for this long counts as lost. */
const LOST_MS = 30_000;

/** Can be sent to other threads. Each device on it allocates its own part. */
export interface SharedHeap {
  /** @internal Of a type that only the DOM's and Node's libraries declare. */
  readonly memory: WebAssembly.Memory;
}

/** A new heap; `null` where threads cannot share memory: in pages that are not cross-origin isolated. */
export function sharedHeap(): SharedHeap | null {
  const { crossOriginIsolated = true } = globalThis as { readonly crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === "undefined" || !crossOriginIsolated) return null;
  try {
    return { memory: new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true }) };
  } catch {
    // The engine lacks shared memories, or the addresses for one.
    return null;
  }
}

/** The limits of the memory that a module imports. */
export const importLimits = (isShared: boolean): readonly number[] =>
  // The most pages in LEB128.
  isShared ? [3, 1, 0x80, 0x80, 4] : [0, 1];

/** What one thread makes for all threads of a heap. */
interface Common {
  /** Makes it and returns its address, calling `progress` meanwhile. */
  readonly make: (progress: () => void) => Promise<number>;
  /** Takes back what was made, if another thread was faster. */
  readonly drop: (address: number) => void;
}

/** The address of what one of all threads makes; the others wait for it. @throws The error of making it. */
export async function madeOnce(heap: SharedHeap, { make, drop }: Common): Promise<number> {
  const words = new Int32Array(heap.memory.buffer, 0, 2);
  let [pulse, seen] = [Atomics.load(words, PULSE), performance.now()];
  for (;;) {
    const found = Atomics.compareExchange(words, PLACE, NOTHING, BEGUN);
    if (found === NOTHING) break;
    if (found !== BEGUN) return found >>> 0;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = Atomics.load(words, PULSE);
    if (now !== pulse) [pulse, seen] = [now, performance.now()];
    // Its thread may have ended. If it lives, the first of the two that is ready counts.
    else if (performance.now() - seen > LOST_MS) Atomics.compareExchange(words, PLACE, BEGUN, NOTHING);
  }
  try {
    const made = await make(() => Atomics.add(words, PULSE, 1));
    const before = Atomics.compareExchange(words, PLACE, BEGUN, made);
    if (before === BEGUN) return made;
    drop(made);
    return before >>> 0;
  } catch (error) {
    Atomics.compareExchange(words, PLACE, BEGUN, NOTHING);
    throw error;
  }
}
