import { describe, expect, it, vi } from "vitest";
import { actSeconds } from "../../../src/ui/pages/run/film/filmActs.ts";
import { filmChoices } from "../../../src/ui/pages/run/film/filmChoices.ts";
import { bestByGeneration } from "../../../src/ui/series/bestByGeneration.ts";

const kinds = async (...codecs: readonly string[]): Promise<readonly string[]> =>
  (await filmChoices(async (codec) => codecs.includes(codec))).map(({ label }) => label);

describe("what can be made of a run", () => {
  it("is a video in the codec that most players know, a GIF and a poster", async () => {
    vi.stubGlobal("OffscreenCanvas", class {});
    const others = ["Film: GIF", "Poster: PNG of the family tree and the champion"];
    expect(await kinds("vp09.00.40.08", "avc1.420028")).toEqual(["Film: MP4, H.264", ...others]);
    expect(await kinds("av01.0.08M.08", "vp09.00.40.08")).toEqual(["Film: MP4, VP9", ...others]);
    expect(await kinds("av01.0.08M.08")).toEqual(["Film: MP4, AV1", ...others]);
    expect(await kinds()).toEqual(others);
  });

  it("is nothing without canvases in workers", async () => {
    expect(await kinds("avc1.640028")).toEqual([]);
  });
});

describe("the acts of a film", () => {
  it("take 25 s together, beside title and champion, and less where there are few", () => {
    expect(12 * actSeconds(12)).toBe(25);
    expect(5 * actSeconds(5)).toBe(25);
    expect(actSeconds(1)).toBe(6);
  });

  it("show the best fitness of each generation, if it has one", () => {
    const fitness = Float64Array.of(1, 3, Number.NaN, -2, Number.NaN, Number.NaN);
    const best = bestByGeneration({ generations: 3, population: 2, fitness });
    expect([...best]).toEqual([3, -2, Number.NaN]);
  });
});
