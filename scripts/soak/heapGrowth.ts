import { median } from "../../bench/harness/statistics.ts";
import type { DomCounters, ThreadHeap } from "./threadHeaps.ts";

/** What was found at one moment. */
export interface HeapSample {
  /** Since the first one. */
  readonly minute: number;
  readonly generation: number;
  readonly heaps: readonly ThreadHeap[];
  readonly dom: DomCounters;
}

/**
 * Bytes that a thread may keep of a member and a generation, so that charts and tables show all of them: some 25 numbers
 * of 8 bytes (GrowingHistory, on the page and in RunHistory), in arrays with room for as many again.
 */
const ROW_BYTES = 2 * 25 * 8;
/** What medians of few samples differ by when nothing grows. */
const NOISE = 0.1;
/** The same of listeners, which come and go with what the page shows: from 1,436 to 1,886 within half an hour, and back. */
const LISTENER_NOISE = 0.3;

interface Growth {
  readonly lines: readonly string[];
  /** What grew more than it may. */
  readonly problems: readonly string[];
}

/** How the last quarter of the samples differs from the second. @throws RangeError for fewer than 8 samples. */
export function growthOf(samples: readonly HeapSample[], members: number): Growth {
  if (samples.length < 8)
    throw new RangeError(
      `found ${samples.length} samples, allowed 8 or more: soak for longer, or look more often`,
    );
  const quarter = Math.floor(samples.length / 4);
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const medians = (value: (sample: HeapSample) => number) =>
    [median(early.map(value)), median(late.map(value))] as const;
  const [from, to] = medians(({ generation }) => generation);
  const rows = (to - from) * members * ROW_BYTES;
  const lines = [
    `generations ${from} and ${to} (medians of the second and the last quarter); their rows may take ${whole(rows)} bytes`,
  ];
  const problems: string[] = [];
  const judge = (
    name: string,
    value: (sample: HeapSample) => number,
    explained: number,
    noise = NOISE,
  ): void => {
    const [before, after] = medians(value);
    const most = before * (1 + noise) + explained;
    const line = `${name}: ${whole(before)}, then ${whole(after)}`;
    lines.push(line);
    if (!(after <= most)) problems.push(`${line}, allowed at most ${whole(most)}`);
  };
  for (const name of new Set(samples.flatMap(({ heaps }) => heaps.map((heap) => heap.name))))
    judge(`bytes of ${name}`, ({ heaps }) => bytesOf(heaps, name), rows);
  judge("DOM nodes", ({ dom }) => dom.nodes, 0);
  judge("documents", ({ dom }) => dom.documents, 0);
  judge("listeners", ({ dom }) => dom.jsEventListeners, 0, LISTENER_NOISE);
  return { lines, problems };
}

/** Of all threads of a name. */
const bytesOf = (heaps: readonly ThreadHeap[], name: string): number =>
  heaps
    .filter((heap) => heap.name === name)
    .reduce((sum, { used, embedder, buffers }) => sum + used + embedder + buffers, 0);

const whole = (value: number): string => Math.round(value).toLocaleString("en");
