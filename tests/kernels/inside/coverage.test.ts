/** The list of operation cases leaves no operation out. */
import { describe, expect, it } from "vitest";
import type { Tensor } from "../../../src/kernels/index.ts";
import * as kernels from "../../../src/kernels/index.ts";
import { scanAttrs } from "../../../src/kernels/scan.ts";
import type { Region } from "../../../src/kernels/tensor.ts";
import { type Kernels, operationCases } from "../support/operationCases.ts";
import { operationProgram, symbolic } from "../support/operationProgram.ts";

/** Exports that make no operation; the others are operations. */
const NOT_OPERATIONS = [
  "State",
  "Tensor",
  "addDims",
  "dimKey",
  "divDim",
  "evalDim",
  "grad",
  "mulDims",
  "packedHalves",
  "packedInt8",
  "programText",
  "sameDim",
  "sameShape",
  "shapeKey",
  "sizeOf",
  "subDims",
  "sym",
  "symbolsOf",
  "trace",
  "vjp",
] as const;

/** What is made of operations, and what runs them: their folders' exports, tested by themselves. */
const MADE_OF_OPERATIONS = new Set(
  Object.values(
    import.meta.glob<object>("../../../src/kernels/{functions,wasm}/*.ts", { eager: true }),
  ).flatMap(Object.keys),
);

/** The library, noting which of its functions are called. */
function recording(called: Set<string>): Kernels {
  return new Proxy(kernels, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof name === "string" && typeof value === "function") called.add(name);
      return value;
    },
  });
}

const nodesOf = (region: Region): Tensor[] =>
  region.nodes.flatMap((n) => (n.op.kind === "scan" ? [n, ...nodesOf(scanAttrs(n).region)] : [n]));

describe("the list of operation cases", () => {
  const called = new Set<string>();
  const nodes = operationCases.flatMap((c) =>
    nodesOf(operationProgram(c, symbolic, true, recording(called)).program.region),
  );

  it("calls every exported operation", () => {
    const operations = Object.entries(kernels)
      .filter(([, value]) => typeof value === "function")
      .map(([name]) => name)
      .filter((name) => !NOT_OPERATIONS.some((other) => other === name) && !MADE_OF_OPERATIONS.has(name));
    expect(operations.length).toBeGreaterThan(50);
    expect(operations.filter((name) => !called.has(name))).toEqual([]);
  });

  it("has no stale exception", () => {
    expect(NOT_OPERATIONS.filter((name) => !(name in kernels))).toEqual([]);
  });

  it("knows which operations on f32 have no gradient rule", () => {
    const without = nodes.filter(
      (n) => n.dtype === "f32" && n.op.kind !== "source" && n.op.kind !== "effect" && !n.op.gradient,
    );
    const names = new Set(
      without.filter((n) => n.inputs.some((t) => t.dtype === "f32")).map((n) => n.op.name),
    );
    expect([...names].sort()).toEqual(["floor", "rowMean", "stopGradient"]);
  });

  it("gives names to operations that are theirs alone", () => {
    const byName = new Map<string, unknown>();
    for (const { op } of nodes) {
      expect(byName.get(op.name) ?? op, `operation ${op.name}`).toBe(op);
      byName.set(op.name, op);
    }
  });
});
