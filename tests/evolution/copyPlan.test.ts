import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copyMoments,
  copyWeights,
  planCopy,
  type Segment,
  type TensorSpec,
  tensorSize,
} from "../../src/evolution/members.ts";

const segment = (label: string, size: number): Segment => ({ label, size, symbol: null });
const matrix = (from: Segment[], to: Segment[], name = "w"): TensorSpec => ({
  name,
  axes: [from, to],
  init: { kind: "constant", value: 9 },
  role: "weight",
  inputAxes: [0],
});
const nines = (spec: TensorSpec) => new Float32Array(tensorSize(spec)).fill(9);
const ramp = (n: number) => Float32Array.from({ length: n }, (_, i) => i + 1);

describe("copy plans", () => {
  it("keep the block that both shapes have; new inputs are zero, new outputs fresh", () => {
    const before = matrix([segment("a", 2)], [segment("b", 3)]);
    const after = matrix([segment("a", 3)], [segment("b", 4)]);
    const { w } = copyWeights(planCopy([before], [after]), { w: ramp(6) }, nines);
    expect([...(w as Float32Array)]).toEqual([1, 2, 3, 9, 4, 5, 6, 9, 0, 0, 0, 0]);
  });

  it("keep what stands behind a segment that grows or shrinks", () => {
    const before = matrix([segment("latent", 2), segment("action", 2)], [segment("b", 1)]);
    const grown = matrix([segment("latent", 4), segment("action", 2)], [segment("b", 1)]);
    const shrunk = matrix([segment("latent", 1), segment("action", 2)], [segment("b", 1)]);
    const tensors = { w: ramp(4) };
    expect([...(copyWeights(planCopy([before], [grown]), tensors, nines).w as Float32Array)]).toEqual([
      1, 2, 0, 0, 3, 4,
    ]);
    expect([...(copyWeights(planCopy([before], [shrunk]), tensors, nines).w as Float32Array)]).toEqual([
      1, 3, 4,
    ]);
  });

  it("keep stacked gates apart, as an LSTM will need", () => {
    const gates = (h: number) => ["i", "f", "g", "o"].map((gate) => segment(gate, h));
    const plan = planCopy([matrix([segment("x", 1)], gates(1))], [matrix([segment("x", 1)], gates(2))]);
    const { w } = copyWeights(plan, { w: ramp(4) }, nines);
    expect([...(w as Float32Array)]).toEqual([1, 9, 2, 9, 3, 9, 4, 9]);
  });

  it("initialise tensors that join, forget those that leave, and share nothing", () => {
    const kept = matrix([segment("a", 1)], [segment("b", 2)], "kept");
    const gone = matrix([segment("a", 1)], [segment("b", 2)], "gone");
    const joins = matrix([segment("a", 1)], [segment("b", 2)], "joins");
    const tensors = { kept: ramp(2), gone: ramp(2) };
    const seen: [string, boolean][] = [];
    const result = copyWeights(planCopy([kept, gone], [kept, joins]), tensors, (spec, added) => {
      seen.push([spec.name, added]);
      return nines(spec);
    });
    expect(seen).toEqual([["joins", true]]);
    expect(result).toEqual({ kept: ramp(2), joins: Float32Array.of(9, 9) });
    (result.kept as Float32Array)[0] = 77;
    expect(tensors.kept[0]).toBe(1);
  });

  it("carry moments with their weights, and leave other networks alone", () => {
    const before = matrix([segment("a", 2)], [segment("b", 1)]);
    const after = matrix([segment("a", 3)], [segment("b", 2)]);
    const joins = matrix([segment("a", 1)], [segment("b", 2)], "joins");
    const moments = { "actor.w": Float32Array.of(1, 2), "critic.w": Float32Array.of(4, 5) };
    const plan = planCopy([before], [after, joins]);
    expect(copyMoments(plan, moments, "actor.", "zero")).toEqual({
      "critic.w": Float32Array.of(4, 5),
      "actor.w": Float32Array.of(1, 0, 2, 0, 0, 0),
      "actor.joins": Float32Array.of(0, 0),
    });
    expect(copyMoments(plan, { "critic.w": ramp(2) }, "actor.", "mean")).toEqual({ "critic.w": ramp(2) });
  });

  it("give new weights the mean of their tensor's moments, those of a new tensor the mean of all", () => {
    const before = matrix([segment("a", 2)], [segment("b", 1)]);
    const after = matrix([segment("a", 3)], [segment("b", 2)]);
    const joins = matrix([segment("a", 1)], [segment("b", 2)], "joins");
    const moments = { "actor.w": Float32Array.of(1, 2), "critic.w": Float32Array.of(4, 5) };
    expect(copyMoments(planCopy([before], [after, joins]), moments, "actor.", "mean")).toEqual({
      "critic.w": Float32Array.of(4, 5),
      "actor.w": Float32Array.of(1, 1.5, 2, 1.5, 1.5, 1.5),
      "actor.joins": Float32Array.of(3, 3),
    });
  });

  it("say which tensor is missing", () => {
    const spec = matrix([segment("a", 1)], [segment("b", 1)]);
    expect(() => copyWeights(planCopy([spec], [spec]), {}, nines)).toThrow(/"w" is missing/);
  });

  it("lose nothing on the way up and down again", () => {
    const sizes = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }));
    fc.assert(
      fc.property(sizes, sizes, ([a, b, c], [da, db, dc]) => {
        const small = matrix([segment("p", a + 1), segment("q", b + 1)], [segment("r", c + 1)]);
        const large = matrix(
          [segment("p", a + 1 + da), segment("q", b + 1 + db)],
          [segment("r", c + 1 + dc)],
        );
        const tensors = { w: ramp(tensorSize(small)) };
        const up = copyWeights(planCopy([small], [large]), tensors, nines);
        expect(copyWeights(planCopy([large], [small]), up, nines)).toEqual(tensors);
      }),
    );
  });
});
