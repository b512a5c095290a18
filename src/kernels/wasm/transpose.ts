/** Transposition in blocks of 4 x 4. */
import { FunctionBody } from "./encoder.ts";
import { forLoop, whileBelow } from "./loops.ts";

type Four = readonly [number, number, number, number];

export const fourVectors = (f: FunctionBody): Four => [
  f.local("v128"),
  f.local("v128"),
  f.local("v128"),
  f.local("v128"),
];

/** Transposes four locals of four lanes in place; `spare` is overwritten. */
export function transposeBlock(f: FunctionBody, [a, b, c, d]: Four, [p, q, s, t]: Four): void {
  f.get(a).get(b).shuffle32(0, 4, 1, 5).set(p).get(a).get(b).shuffle32(2, 6, 3, 7).set(q);
  f.get(c).get(d).shuffle32(0, 4, 1, 5).set(s).get(c).get(d).shuffle32(2, 6, 3, 7).set(t);
  f.get(p).get(s).shuffle32(0, 1, 4, 5).set(a).get(p).get(s).shuffle32(2, 3, 6, 7).set(b);
  f.get(q).get(t).shuffle32(0, 1, 4, 5).set(c).get(q).get(t).shuffle32(2, 3, 6, 7).set(d);
}

/** (to, from, rows, columns): to[c, r] = from[r, c]. */
export function transposeKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const [TO, FROM, ROWS, COLUMNS] = [0, 1, 2, 3];
  const [r, c, fullR, fullC, from, to, inBytes, outBytes, cStart] = f.i32s(9);
  const [rows, spare] = [fourVectors(f), fourVectors(f)];
  const address = (base: number, row: number, width: number, column: number, pointer: number) =>
    f
      .get(base)
      .get(row)
      .get(width)
      .op("i32.mul")
      .get(column)
      .op("i32.add")
      .i32(2)
      .op("i32.shl")
      .op("i32.add")
      .set(pointer);
  const addresses = () => {
    address(FROM, r, COLUMNS, c, from);
    address(TO, c, ROWS, r, to);
  };
  f.bytesOf(COLUMNS).set(inBytes);
  f.bytesOf(ROWS).set(outBytes);
  f.get(ROWS).i32(-4).op("i32.and").set(fullR);
  f.get(COLUMNS).i32(-4).op("i32.and").set(fullC);
  forLoop(f, r, fullR, 4, () => {
    forLoop(f, c, fullC, 4, () => {
      addresses();
      rows.forEach((row, i) => {
        f.load(row, from);
        if (i < 3) f.advanceBy(from, inBytes);
      });
      transposeBlock(f, rows, spare);
      rows.forEach((row, i) => {
        f.store(to, row);
        if (i < 3) f.advanceBy(to, outBytes);
      });
    });
  });
  // The rest: all columns of the last rows, and the last columns of the full rows.
  forLoop(f, r, ROWS, 1, () => {
    f.get(r)
      .get(fullR)
      .op("i32.lt_s")
      .if(
        () => f.get(fullC).set(cStart),
        () => f.i32(0).set(cStart),
      );
    f.get(cStart).set(c);
    whileBelow(f, c, COLUMNS, 1, () => {
      addresses();
      f.get(to).get(from).i32Load().i32Store();
    });
  });
  return f;
}
