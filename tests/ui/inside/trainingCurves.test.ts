import { describe, expect, it } from "vitest";
import { isRead } from "../../../src/ui/components/plot/PlotModel.ts";
import { curveModel, mediansOf, trainingCurves } from "../../../src/ui/pages/run/fitness/trainingCurves.ts";
import { descendantsOf } from "./support/descendants.ts";

const NONE = Number.NaN;

describe("the curves of training", () => {
  // Two members, three generations, the second of which is evaluated.
  const all = descendantsOf([
    [
      [0, null, NONE],
      [1, null, NONE],
    ],
    [
      [0, null, 3],
      [1, null, 2],
    ],
    [
      [0, null, NONE],
      [1, null, NONE],
    ],
  ]);
  const score = Float64Array.of(0, 1, 1, 3, NONE, 5);
  const loss = Float64Array.of(4, 4, 3, 3, 2, 2);
  const columns = { ...all.columns, score, metrics: { loss } };
  const curves = (objective: string | null) =>
    trainingCurves(columns, { environment: { env_type: "dataset", objective } });

  it("are those of what the run learns from", () => {
    expect(curves(null).map(({ title, training }) => [title, training])).toEqual([["Reward", score]]);
    expect(curves("preference").map(({ title }) => title)).toEqual(["Reward margin", "Loss"]);
    const [sft] = curves("sft");
    expect([sft?.title, sft?.training]).toEqual(["Loss", loss]);
    // The fitness of SFT is its negative loss on held-out rows.
    expect(sft?.evaluated).toEqual(Float64Array.of(NONE, NONE, -3, -2, NONE, NONE));
  });

  it("are absent where nothing is known of them", () => {
    const unknown = {
      ...columns,
      score: new Float64Array(6).fill(NONE),
      fitness: new Float64Array(6).fill(NONE),
    };
    expect(trainingCurves(unknown, {})).toEqual([]);
  });

  it("begin with the first iteration, and have the evaluations beside", () => {
    const [curve] = curves(null);
    if (!curve) throw new Error("a curve is expected");
    expect(mediansOf(score, 2)).toEqual([0.5, 2, 5]);
    const { x, lines } = curveModel({ ...all, columns }, curve);
    expect(x).toEqual([1, 2, 3]);
    expect(lines.filter(isRead).map(({ label, values }) => [label, values])).toEqual([
      ["median", [0.5, 2, 5]],
      ["evaluated", [null, 3, null]],
    ]);
  });
});
