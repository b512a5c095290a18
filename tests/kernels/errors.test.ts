/** What operations refuse while a program is traced, and how they say so. */
import { describe, expect, it } from "vitest";
import * as k from "../../src/kernels/index.ts";

const n = k.sym("n");
const x = (...shape: k.Shape): k.Tensor => k.state(`x${k.shapeKey(shape)}`, shape).read();
const ints = (...shape: k.Shape): k.Tensor =>
  k.state(`i${k.shapeKey(shape)}`, shape, { dtype: "i32" }).read();

describe("operations refuse", () => {
  it.each<[string, () => void, RegExp]>([
    [
      "shapes that do not broadcast",
      () => k.add(x(2, n), x(3, n)),
      /^add: shapes \[2,n\] and \[3,n\] do not broadcast \(dimension 0\)$/,
    ],
    [
      "a window larger than the image",
      () => k.patches(x(n, 4, 3, 2), { size: [2, 5], stride: [1, 1] }),
      /^patches: found a window of 5 along spatial axis 1, which has 3; allowed 1 to 3$/,
    ],
    [
      "a window that stands still",
      () => k.patches(x(n, 4, 3, 2), { size: [2, 2], stride: [0, 1] }),
      /^patches: found stride 0 along spatial axis 0, allowed integers from 1$/,
    ],
    [
      "images whose spatial sizes are symbols",
      () => k.patches(x(2, n, 3, 2), { size: [2, 2], stride: [1, 1] }),
      /^patches: found spatial sizes \[n,3\], allowed numbers$/,
    ],
    [
      "a window of another rank than the image",
      () => k.patches(x(n, 3, 2), { size: [2, 2], stride: [1, 1] }),
      /^patches: found images \[n,3,2\], window 2 x 2, stride 1 x 1; allowed \[images, 1 to 3 spatial axes, channels\]/,
    ],
    [
      "bytes of rows of unknown length",
      () => k.packBytes(x(2, n)),
      /^packBytes: found \[2,n\], allowed a last axis of known length$/,
    ],
    [
      "bytes from rows of other words",
      () => k.unpackBytes(k.packBytes(x(2, 9)), 8),
      /^unpackBytes: found \[2,3\] for rows of 8 bytes, allowed a last axis of 2 words$/,
    ],
    ["a symbol against a number", () => k.mul(x(n), x(4)), /mul: shapes \[n\] and \[4\] do not broadcast/],
    [
      "operands of two types",
      () => k.add(x(2), ints(2)),
      /^add: operands have types f32 and i32; convert one with cast\(\)$/,
    ],
    ["a type that the operation lacks", () => k.div(ints(2), ints(2)), /^div: found i32, allowed f32$/],
    ["bits of floats", () => k.bitAnd(x(2), x(2)), /^bitAnd: found f32, allowed i32, u32$/],
    [
      "a fraction as an integer",
      () => k.constant(0.5, "i32"),
      /constant of type i32: found 0.5, allowed integers/,
    ],
    [
      "shifts by more bits than there are",
      () => k.shiftLeft(ints(2), 32),
      /shiftLeft: found 32 bits, allowed 0 to 31/,
    ],
    ["a condition that is no bool", () => k.select(x(2), 1, 0), /^select: found f32, allowed bool$/],
    ["a cast from f32 to u32", () => k.cast(x(2), "u32"), /cast: f32 to u32 is not defined; go through i32/],
    [
      "the bits of truth values",
      () => k.reinterpret(k.less(x(2), 0), "u32"),
      /reinterpret: found bool, allowed f32, i32, u32/,
    ],
    [
      "a reshape to another size",
      () => k.reshape(x(2, n), [n]),
      /^reshape: \[2,n\] and \[n\] hold different numbers of elements$/,
    ],
    [
      "a broadcast to a smaller shape",
      () => k.broadcastTo(x(3, 4), [4]),
      /broadcastTo: \[3,4\] does not fit into \[4\]/,
    ],
    ["an axis that is not there", () => k.sum(x(2, 3), 2), /^sum: axis 2 of a tensor of rank 2$/],
    ["a reduction of a scalar", () => k.max(x()), /^max: axis -1 of a tensor of rank 0$/],
    [
      "factors that do not fit",
      () => k.matmul(x(2, n), x(3, n)),
      /matmul: shapes \[2,n\] and \[3,n\] do not fit \(transposeA false, transposeB false\)/,
    ],
    [
      "two transposed factors",
      () => k.matmul(x(2, 3), x(3, 2), { transposeA: true, transposeB: true }),
      /at most one factor/,
    ],
    [
      "a bias of another width",
      () => k.matmul(x(2, 3), x(3, 4), { bias: x(3) }),
      /matmul: bias \[3\] does not fit \[4\]/,
    ],
    [
      "a bias of integers",
      () => k.matmul(x(2, 3), x(3, 4), { bias: ints(4) }),
      /matmul bias: found i32, allowed f32/,
    ],
    [
      "stacks of factors that do not fit",
      () => k.batchMatmul(x(2, n, 3), x(2, n, 3)),
      /^batchMatmul: shapes \[2,n,3\] and \[2,n,3\] do not fit \(transposeA false, transposeB false\)$/,
    ],
    [
      "stacks of different heights",
      () => k.batchMatmul(x(2, n, 3), x(4, n, 3), { transposeB: true }),
      /^batchMatmul: shapes \[2,n,3\] and \[4,n,3\] do not fit \(transposeA false, transposeB true\)$/,
    ],
    [
      "a stack times a matrix",
      () => k.batchMatmul(x(2, n, 3), x(3, n)),
      /^batchMatmul: shapes \[2,n,3\] and \[3,n\] do not fit/,
    ],
    [
      "two transposed stacks",
      () => k.batchMatmul(x(2, 3, 3), x(2, 3, 3), { transposeA: true, transposeB: true }),
      /^batchMatmul: at most one factor may be transposed$/,
    ],
    [
      "an order that names an axis twice",
      () => k.permute(x(2, n, 3), [0, 2, 2]),
      /^permute: found axes \[0,2,2\] for \[2,n,3\], allowed each of 0 to 2 once$/,
    ],
    [
      "an order of other axes",
      () => k.permute(x(2, n), [0, 1, 2]),
      /^permute: found axes \[0,1,2\] for \[2,n\], allowed each of 0 to 1 once$/,
    ],
    ["a transposed cube", () => k.transpose(x(2, 3, 4)), /transpose: found rank 3, allowed 2/],
    ["indices of another type", () => k.takeRows(x(2, 3), x(4)), /takeRows index: found f32, allowed i32/],
    [
      "a matrix of indices",
      () => k.takeRows(x(2, 3), ints(4, 1)),
      /takeRows: needs a tensor of rank >= 1 and a vector of indices/,
    ],
    [
      "fewer indices than rows",
      () => k.sumRowsAt(x(4, 2), ints(3), 5),
      /sumRowsAt: found rows \[4,2\] and index \[3\]/,
    ],
    ["an argmax of a scalar", () => k.argmax(x()), /argmax: needs at least one axis/],
    ["nothing to join", () => k.concat([]), /concat: needs at least one tensor/],
    [
      "parts of different heights",
      () => k.concat([x(2, 3), x(4, 3)]),
      /concat: shapes \[2,3\] and \[4,3\] differ before the last axis/,
    ],
    ["parts of different types", () => k.concat([x(2), ints(2)]), /concat: found i32, allowed f32/],
    ["columns beyond the last", () => k.slice(x(2, 5), 3, 3), /slice: found 3 columns from 3 of \[2,5\]/],
    ["columns before the first", () => k.slice(x(n), -1, 1), /slice: found 1 columns from -1 of \[n\]/],
    ["a column that is not there", () => k.column(x(2, 3), 3), /slice: found 1 columns from 3 of \[2,3\]/],
    [
      "an epsilon that is not above 0",
      () => k.layerNorm(x(2, 3), undefined, undefined, { epsilon: 0 }),
      /^standardize: found epsilon 0, allowed numbers above 0$/,
    ],
    ["a standardised scalar", () => k.standardize(x()), /standardize: needs at least one axis/],
    [
      "a state declared in two ways",
      () => (k.state("s", [2]), k.state("s", [3])),
      /^state s: declared as f32\[2\] and as f32\[3\]$/,
    ],
    [
      "a value of another shape for a state",
      () => k.state("s", [2]).write(x(3)),
      /^state s: found shape \[3\], allowed \[2\]$/,
    ],
    [
      "a value of another type for a state",
      () => k.state("s", [2]).write(ints(2)),
      /^state s: found i32, allowed f32$/,
    ],
    [
      "rows of another width for a state",
      () => k.state("s", [5, 2]).writeRows(ints(3), x(3, 4)),
      /^state s: found rows \[3,4\], allowed \[3,2\]$/,
    ],
    [
      "rows of a scalar state",
      () => k.state("s").writeRows(ints(3), x(3)),
      /state s: found \[\] and index \[3\]; writeRows needs rows/,
    ],
    [
      "a carried value that changes shape",
      () => k.scan({ count: 2, carry: [x(2)] }, () => ({ carry: [x(3)] })),
      /^scan: carried value 0 is f32\[2\] and becomes f32\[3\]$/,
    ],
    [
      "a carried value that is left out",
      () => k.scan({ count: 2, carry: [x(2)] }, () => ({ carry: [] })),
      /^scan: body returned 0 carried values, needs 1$/,
    ],
    [
      "stacked inputs of another length",
      () => k.scan({ count: 2, carry: [], xs: [x(3, 2)] }, () => ({ carry: [] })),
      /^scan: stacked input \[3,2\] does not have one row per iteration$/,
    ],
    [
      "stacked inputs that have no rows",
      () => k.scan({ count: 2, carry: [], xs: [x()] }, () => ({ carry: [] })),
      /scan: stacked input \[\]/,
    ],
    [
      "a computed count with stacked outputs",
      () => k.scan({ count: ints(), carry: [] }, (_c, _x, t) => ({ carry: [], ys: [t] })),
      /stacked outputs need a count that is a dimension/,
    ],
    [
      "a count that is no scalar",
      () => k.scan({ count: ints(2), carry: [] }, () => ({ carry: [] })),
      /scan count: found shape \[2\], allowed a scalar/,
    ],
    [
      "a condition of several values",
      () => k.scan({ count: 2, carry: [] }, () => ({ carry: [], until: k.less(x(2), 0) })),
      /scan until: found shape \[2\], allowed a scalar/,
    ],
  ])("%s", (_what, body, message) => {
    expect(() => k.trace("t", body)).toThrow(message);
  });
});

describe("regions", () => {
  const leak = (): k.Tensor => {
    let inner: k.Tensor | undefined;
    k.scan({ count: 2, carry: [] }, (_c, _x, t) => {
      inner = k.cast(t, "f32");
      return { carry: [] };
    });
    // The body of a scan is traced at once.
    return inner as k.Tensor;
  };

  it("close: a value of a body cannot be used after it", () => {
    expect(() => k.trace("t", () => k.neg(leak()))).toThrow(
      /^neg: operand %\d+ = cast\(%\d+\) f32\[\] belongs to a region that is closed; return it from the scan instead$/,
    );
  });

  it("close: nor be returned from another body", () => {
    const body = () => {
      const value = leak();
      k.scan({ count: 2, carry: [] }, () => ({ carry: [], ys: [value] }));
    };
    expect(() => k.trace("t", body)).toThrow(/^scan: %\d+ = cast.* belongs to a region that is closed/);
  });

  it("belong to one program", () => {
    let foreign: k.Tensor | undefined;
    let handle: k.State | undefined;
    k.trace("one", () => {
      handle = k.state("s", [2]);
      foreign = handle.read();
    });
    expect(() => k.trace("two", () => k.neg(foreign as k.Tensor))).toThrow(
      /belongs to a region that is closed/,
    );
    expect(() => k.trace("two", () => handle?.read())).toThrow(
      /^state s: the handle belongs to another program/,
    );
  });

  it("are needed: operations outside a trace say so", () => {
    expect(() => k.zeros([2])).toThrow(/can only be called while a program is traced/);
    expect(() => k.state("s")).toThrow(/can only be called while a program is traced/);
  });

  it("are left again when a traced function throws", () => {
    expect(() =>
      k.trace("t", () => {
        throw new Error("mistake");
      }),
    ).toThrow("mistake");
    expect(() => k.zeros([2])).toThrow(/while a program is traced/);
  });
});

describe("gradients refuse", () => {
  const s = () => k.state("s");
  const differentiate = (body: (x: k.Tensor) => k.Tensor) => () =>
    k.trace("t", () => {
      const x = k.state("x").read();
      k.grad(body(x), [x]);
    });
  const carryOf = (result: k.ScanResult): k.Tensor => {
    const [value] = result.carry;
    if (!value) throw new Error("nothing carried");
    return value;
  };

  it.each<[string, (x: k.Tensor) => k.Tensor, RegExp]>([
    [
      "a scan that writes state",
      (x) =>
        carryOf(
          k.scan({ count: 2, carry: [x] }, ([c]) => {
            s().write(c as k.Tensor);
            return { carry: [k.mul(c as k.Tensor, 2)] };
          }),
        ),
      /a scan that writes state has no gradient/,
    ],
    [
      "a scan with a computed count",
      (x) => carryOf(k.scan({ count: ints(), carry: [x] }, ([c]) => ({ carry: [k.mul(c as k.Tensor, 2)] }))),
      /a scan with a computed count has no gradient; give the count as a dimension/,
    ],
    [
      "a scan that ends on a condition",
      (x) =>
        carryOf(
          k.scan({ count: 2, carry: [x] }, ([c]) => ({
            carry: [k.mul(c as k.Tensor, 2)],
            until: k.less(c as k.Tensor, 0),
          })),
        ),
      /a scan that ends on a condition has no gradient/,
    ],
    [
      "a scan that reads state written since",
      (x) => {
        const result = carryOf(
          k.scan({ count: 2, carry: [x] }, ([c]) => ({ carry: [k.mul(c as k.Tensor, s().read())] })),
        );
        s().write(k.constant(3));
        return result;
      },
      /a scan that reads state s, written since, has no gradient; read the state before the scan/,
    ],
    [
      "a second derivative of standardize",
      (x) => {
        const row = k.mul(x, k.state("row", [5]).read());
        const [slope] = k.grad(k.sumAll(k.square(k.standardize(row))), [x]);
        return k.square(slope as k.Tensor);
      },
      /standardize has no second derivative/,
    ],
  ])("%s", (_what, body, message) => {
    expect(differentiate(body)).toThrow(message);
  });
});
