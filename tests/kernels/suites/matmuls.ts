/** Matrix products of every small size, in integers that f32 holds exactly. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { numbers } from "../support/numbers.ts";
import { type Buffers, runOnDevice } from "../support/run.ts";

const [M, K] = [k.sym("M"), k.sym("K")];

/** Products with so many columns. */
const productsOf = (N: k.Dim) =>
  k.trace("products", () => {
    const read = (name: string, shape: k.Shape) => k.state(name, shape).read();
    const [a, at] = [read("a", [M, K]), read("at", [K, M])];
    const [b, bt] = [read("b", [K, N]), read("bt", [N, K])];
    const bias = read("bias", [N]);
    const products = {
      plain: k.matmul(a, b),
      biased: k.matmul(a, b, { bias }),
      leftTransposed: k.matmul(at, b, { transposeA: true }),
      leftTransposedBiased: k.matmul(at, b, { transposeA: true, bias }),
      rightTransposed: k.matmul(a, bt, { transposeB: true }),
      rightTransposedBiased: k.matmul(a, bt, { transposeB: true, bias }),
    };
    for (const [name, product] of Object.entries(products)) k.state(name, [M, N]).write(product);
    k.state("turned", [N, K]).write(k.transpose(b));
  });

const anyColumns = productsOf(k.sym("N"));
/** A number of columns that is known when the program is written may have kernels of its own. */
const knownColumns = new Map([1, 2, 3, 4, 5].map((columns) => [columns, productsOf(columns)]));

const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 13];
const COLUMNS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 20, 23, 24, 31, 33];
const DEPTHS = [1, 2, 3, 4, 5, 8, 9, 14];

/** Depths for a shape: all of them, or a quarter in turn, so that each is seen with all rows and with all columns. */
const depthsOf = (share: number, rows: number, columns: number): readonly number[] =>
  share === 1
    ? DEPTHS
    : DEPTHS.filter((_, i) => (i + ROWS.indexOf(rows) + COLUMNS.indexOf(columns)) % 4 === 0);

const transposed = (values: readonly number[], rows: number, columns: number): number[] =>
  Array.from({ length: columns * rows }, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] ?? 0);

export function matmulSuite({ name, create, share }: TestDevice): void {
  describe(`matrix products on ${name}`, () => {
    let device: Device;
    beforeAll(async () => {
      device = await create();
    });
    afterAll(() => device.close());

    it.each(ROWS)("of %i rows", async (rows) => {
      const next = numbers(rows);
      const fill = (length: number) => Array.from({ length }, () => Math.floor(19 * next()) - 9);
      for (const columns of COLUMNS) {
        for (const depth of depthsOf(share, rows, columns)) {
          const [a, b, bias] = [fill(rows * depth), fill(depth * columns), fill(columns)];
          const at = transposed(a, rows, depth);
          const bt = transposed(b, depth, columns);
          const product = (start: readonly number[]) =>
            Array.from({ length: rows * columns }, (_, i) => {
              const [r, c] = [Math.floor(i / columns), i % columns];
              let total = start[c] ?? 0;
              for (let d = 0; d < depth; d++) total += (a[r * depth + d] ?? 0) * (b[d * columns + c] ?? 0);
              return total;
            });
          const [plain, biased] = [product([]), product(bias)];
          const expected: Buffers = {
            plain,
            biased,
            leftTransposed: plain,
            leftTransposedBiased: biased,
            rightTransposed: plain,
            rightTransposedBiased: biased,
            turned: bt,
          };
          const sizes = { M: rows, N: columns, K: depth };
          const known = knownColumns.get(columns);
          for (const program of known ? [anyColumns, known] : [anyColumns]) {
            const found = await runOnDevice(device, program, sizes, { a, at, b, bt, bias });
            const own = Object.fromEntries(
              Object.keys(expected).map((p) => [p, found[p]?.map((v) => v + 0)]),
            );
            expect(own, `${rows} x ${depth} times ${depth} x ${columns}`).toEqual(expected);
          }
        }
      }
    });
  });
}
