/** Kernel that writes rows into a buffer by index. */
import { FunctionBody } from "./encoder.ts";
import { forLoop } from "./loops.ts";

/** (state, index, rows, count, row length). */
export function writeRowsKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32"]);
  const [i, j, bytes, to, from] = f.i32s(5);
  f.get(4).i32(2).op("i32.shl").set(bytes);
  f.get(2).set(from);
  forLoop(f, i, 3, 1, () => {
    f.get(0)
      .get(1)
      .get(i)
      .i32(2)
      .op("i32.shl")
      .op("i32.add")
      .i32Load()
      .get(bytes)
      .op("i32.mul")
      .op("i32.add")
      .set(to);
    forLoop(f, j, bytes, 4, () =>
      f.get(to).get(j).op("i32.add").get(from).get(j).op("i32.add").i32Load().i32Store(),
    );
    f.get(from).get(bytes).op("i32.add").set(from);
  });
  return f;
}
