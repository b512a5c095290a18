import { describe, expect, it } from "vitest";
import { growthOf, type HeapSample } from "../../scripts/soak/heapGrowth.ts";

/** Samples whose page holds so many bytes, a generation after each other. */
const samplesOf = (bytes: readonly number[], nodes: readonly number[] = []): HeapSample[] =>
  bytes.map((used, i) => ({
    minute: 5 * i,
    generation: i,
    heaps: [
      { name: "page", used, embedder: 0, buffers: 0 },
      { name: "compute", used: 1e6, embedder: 0, buffers: 0 },
      { name: "compute", used: 1e6, embedder: 0, buffers: 0 },
    ],
    dom: { documents: 1, nodes: nodes[i] ?? 100, jsEventListeners: 10 },
  }));

const flat = Array.from({ length: 16 }, () => 2e7);

describe("growthOf", () => {
  it("finds nothing where medians stay, whatever single samples say", () => {
    const { problems, lines } = growthOf(
      samplesOf(flat.map((bytes, i) => (i % 4 === 3 ? 3 * bytes : bytes))),
      16,
    );
    expect(problems).toEqual([]);
    expect(lines).toContain("bytes of compute: 2,000,000, then 2,000,000");
  });

  it("names the thread that grows", () => {
    const { problems } = growthOf(samplesOf(flat.map((bytes, i) => bytes * (1 + 0.02 * i))), 16);
    expect(problems).toEqual([expect.stringMatching(/^bytes of page: .*, allowed at most /)]);
  });

  it("lets rows of the generations grow", () => {
    const bytesOfRows = 16 * 400;
    const growing = samplesOf(flat.map((_, i) => 1e5 + bytesOfRows * i));
    expect(growthOf(growing, 16).problems).toEqual([]);
    expect(growthOf(growing, 4).problems).toHaveLength(1);
  });

  it("names nodes that are left over", () => {
    const { problems } = growthOf(
      samplesOf(
        flat,
        flat.map((_, i) => 100 + 5 * i),
      ),
      16,
    );
    expect(problems).toEqual([expect.stringMatching(/^DOM nodes: /)]);
  });

  it("refuses what is too short to tell", () => {
    expect(() => growthOf(samplesOf(flat.slice(0, 7)), 16)).toThrow("found 7 samples, allowed 8 or more");
  });
});
