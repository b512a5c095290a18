import { describe, expect, it } from "vitest";
import {
  add,
  broadcastTo,
  dimValue,
  iota,
  matmul,
  mul,
  mulDims,
  type Program,
  reshape,
  scan,
  slice,
  state,
  sym,
  trace,
} from "../../../src/kernels/index.ts";
import { type OnnxOptions, toOnnx } from "../../../src/kernels/onnx/toOnnx.ts";
import { describeModel } from "../../support/onnxFile.ts";
import { RuntimeModel } from "../../support/onnxRuntime.ts";

const batch = sym("batch");
const write = (name: string, value: ReturnType<typeof add>): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

const exported = (program: Program, change: Partial<OnnxOptions> = {}) =>
  toOnnx(program, { batch: "batch", binding: {}, parameters: new Map(), version: "1.2.3", ...change });

/** A dense layer whose width is a symbol. */
const layer = trace("layer", () => {
  const x = state("x", [batch, 2]).read();
  const [weight, unused] = [state("w", [2, sym("width")]).read(), state("unused", [3]).read()];
  add(unused, 1);
  write("y", matmul(x, weight));
});
const parameters = new Map([
  ["w", [1, 2, 3, 4, 5, 6]],
  ["unused", [7, 8, 9]],
]);

describe("toOnnx", () => {
  it("makes parameters constants, and reads and writes inputs and outputs", async () => {
    const model = await RuntimeModel.load(exported(layer, { binding: { width: 3 }, parameters }));
    const described = [...model.inputs, ...model.outputs].map(
      (value) => value.isTensor && [value.name, value.shape],
    );
    expect(described).toEqual([
      ["x", ["batch", 2]],
      ["y", ["batch", 3]],
    ]);
    const { y } = await model.run({ x: { type: "float32", shape: [2, 2], values: [1, 0, 2, -1] } });
    expect(y).toEqual({ type: "float32", shape: [2, 3], values: [1, 2, 3, -2, -1, 0] });
    await model.release();
  });

  it("leaves out what no output needs, and computes nothing twice", () => {
    expect(describeModel(exported(layer, { binding: { width: 3 }, parameters })).constants).toEqual(["w"]);
    const twice = trace("twice", () => {
      const x = state("x", [batch]).read();
      write("a", add(mul(x, 2), 1));
      write("b", mul(mul(x, 2), 3));
    });
    expect(
      describeModel(exported(twice))
        .operators.filter((name) => name !== "Identity")
        .sort(),
    ).toEqual(["Add", "Mul", "Mul"]);
  });

  it("computes sizes from the batch where shapes do not tell them", async () => {
    const program = trace("sizes", () => {
      const x = state("x", [batch, 2]).read();
      const columns = reshape(slice(x, 0, 1), [batch]);
      write("table", broadcastTo(columns, [batch, batch]));
      write("places", iota(mulDims(2, batch, sym("k"))));
      write("count", add(dimValue(batch), dimValue(sym("k"))));
      write("square", reshape(broadcastTo(columns, [batch, batch]), [1, batch, batch]));
    });
    const model = await RuntimeModel.load(exported(program, { binding: { k: 2 } }));
    const found = await model.run({ x: { type: "float32", shape: [3, 2], values: [1, 0, 2, 0, 5, 0] } });
    expect(found.table).toMatchObject({ shape: [3, 3], values: [1, 2, 5, 1, 2, 5, 1, 2, 5] });
    expect(found.square?.shape).toEqual([1, 3, 3]);
    expect(found.places?.values).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(found.count).toMatchObject({ shape: [], values: [5] });
    await model.release();
  });

  it("keeps texts, also long ones and those beyond ASCII", () => {
    const metadata = { place: "Zürich", story: "x".repeat(100_000), none: "" };
    const found = describeModel(exported(layer, { binding: { width: 3 }, parameters, metadata }));
    expect(found).toMatchObject({ producer: "rlkit", version: "1.2.3", metadata });
  });

  it("refuses loops, states that are read and written, and sizes that nobody gave", () => {
    const loop = trace("loop", () => {
      const x = state("x", [batch]).read();
      const { carry } = scan({ count: 3, carry: [x] }, ([value]) => ({ carry: [mul(value as typeof x, 2)] }));
      write("y", carry[0] as typeof x);
    });
    expect(() => exported(loop)).toThrow(
      /ONNX export of loop: found a loop \(scan\), allowed operations of a forward/,
    );
    const counter = trace("counter", () => {
      const count = state("count", [batch]);
      count.write(add(count.read(), 1));
    });
    expect(() => exported(counter)).toThrow(/state "count" is read and written/);
    expect(() => exported(layer, { parameters })).toThrow(/"width" is not bound/);
    const alone = trace("alone", () => write("y", dimValue(batch)));
    expect(() => exported(alone)).toThrow(/found no input with "batch" as its first dimension/);
  });
});
