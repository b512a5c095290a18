import { describe, expect, it } from "vitest";
import { toOnnx } from "../../../src/kernels/devices.ts";
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
  sum,
  sym,
  trace,
} from "../../../src/kernels/index.ts";
import { describeModel } from "../../support/onnxFile.ts";
import { RuntimeModel } from "../../support/onnxRuntime.ts";

const batch = sym("batch");
const write = (name: string, value: ReturnType<typeof add>): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

const exported = (program: Program, change: Partial<Parameters<typeof toOnnx>[1]> = {}) =>
  toOnnx(program, { free: ["batch"], binding: {}, parameters: new Map(), version: "1.2.3", ...change });

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

  it("makes a state that is read and written an input and an output, with values in the program's order", async () => {
    const program = trace("counter", () => {
      const [count, fresh] = [state("count", [batch]), state("fresh", [batch])];
      const before = count.read();
      count.write(add(before, 1));
      fresh.write(mul(count.read(), 10));
      count.write(add(count.read(), fresh.read()));
      write("old", before);
      write("new", count.read());
    });
    const model = await RuntimeModel.load(exported(program));
    expect(model.inputs.map(({ name }) => name)).toEqual(["count"]);
    expect(model.outputs.map(({ name }) => name)).toEqual(["fresh", "count.next", "old", "new"]);
    const found = await model.run({ count: { type: "float32", shape: [2], values: [1, 5] } });
    const values = Object.fromEntries(Object.entries(found).map(([name, { values }]) => [name, values]));
    expect(values).toEqual({ fresh: [20, 60], "count.next": [22, 66], old: [1, 5], new: [22, 66] });
    await model.release();
  });

  it("replaces rows of a state, and needs no open size", async () => {
    const program = trace("rows", () => {
      const [cache, index] = [state("cache", [4, 1, 2]), state("index", [2], { dtype: "i32" })];
      cache.writeRows(index.read(), state("rows", [2, 1, 2]).read());
      write("sums", sum(cache.read(), 0));
      const places = state("places", [sym("n")], { dtype: "i32" });
      places.writeRows(index.read(), mul(index.read(), 3));
    });
    const bytes = toOnnx(program, { binding: { n: 5 }, parameters: new Map(), version: "1.2.3" });
    const model = await RuntimeModel.load(bytes);
    const found = await model.run({
      cache: { type: "float32", shape: [4, 1, 2], values: [1, 2, 3, 4, 5, 6, 7, 8] },
      index: { type: "int32", shape: [2], values: [3, 1] },
      rows: { type: "float32", shape: [2, 1, 2], values: [10, 20, 30, 40] },
      places: { type: "int32", shape: [5], values: [9, 9, 9, 9, 9] },
    });
    expect(found["cache.next"]).toEqual({
      type: "float32",
      shape: [4, 1, 2],
      values: [1, 2, 30, 40, 5, 6, 10, 20],
    });
    expect(found.sums?.values).toEqual([46, 68]);
    expect(found["places.next"]).toEqual({ type: "int32", shape: [5], values: [9, 3, 9, 9, 9] });
    await model.release();
    expect(describeModel(bytes).operators).not.toContain("ScatterND");
  });

  it("refuses loops, a name that it needs for another state's new value, and sizes that nobody gave", () => {
    const loop = trace("loop", () => {
      const x = state("x", [batch]).read();
      const { carry } = scan({ count: 3, carry: [x] }, ([value]) => ({ carry: [mul(value as typeof x, 2)] }));
      write("y", carry[0] as typeof x);
    });
    expect(() => exported(loop)).toThrow(
      /ONNX export of loop: found a loop \(scan\), allowed operations: add, sub/,
    );
    const push = trace("push", () => {
      scan({ count: 3, carry: [] }, () => {
        write("count", add(state("count", [batch]).read(), 1));
        return { carry: [] };
      });
    });
    expect(() => exported(push)).toThrow(/ONNX export of push: found a loop \(scan\)/);
    const clash = trace("clash", () => {
      write("count", add(state("count", [batch]).read(), state("count.next", [batch]).read()));
    });
    expect(() => exported(clash)).toThrow(/found states "count" and "count.next", which is also the name of/);
    expect(() => exported(layer, { parameters })).toThrow(/"width" is not bound/);
    const alone = trace("alone", () => write("y", dimValue(batch)));
    expect(() => exported(alone)).toThrow(/found no input with "batch" as a dimension/);
  });
});
