/** Programs that once gave wrong results, cut down to what went wrong, and orders that must not change. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Binding, Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { type Buffers, runOnDevice } from "../support/run.ts";

export function regressionSuite({ name, create, share }: TestDevice): void {
  describe(`regressions on ${name}`, () => {
    let device: Device;
    beforeAll(async () => {
      device = await create();
    });
    afterAll(() => device.close());

    const run = (body: () => void, initial: Buffers = {}, binding: Binding = {}): Promise<Buffers> =>
      runOnDevice(device, k.trace("regression", body), binding, initial);

    it("keeps a value read before a loop that writes its state", async () => {
      const { out, s } = await run(
        () => {
          const s = k.state("s", [3]);
          const old = s.read();
          k.scan({ count: 2, carry: [] }, () => {
            s.write(k.add(s.read(), 1));
            return { carry: [] };
          });
          k.state("out", [3]).write(old);
        },
        { s: [1, 2, 3] },
      );
      expect(out).toEqual([1, 2, 3]);
      expect(s).toEqual([3, 4, 5]);
    });

    it("stacks rows of a state as they were before the loop wrote it", async () => {
      const { out } = await run(
        () => {
          const s = k.state("s", [3, 2]);
          const { ys } = k.scan({ count: 3, carry: [], xs: [s.read()] }, (_c, [x]) => {
            s.write(k.zeros([3, 2]));
            return { carry: [], ys: x ? [x] : [] };
          });
          k.state("out", [3, 2]).write(ys[0] as k.Tensor);
        },
        { s: [1, 2, 3, 4, 5, 6] },
      );
      expect(out).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it("returns from a loop an outer value whose state the loop writes", async () => {
      const { out } = await run(
        () => {
          const s = k.state("s", [2]);
          const old = s.read();
          const { ys } = k.scan({ count: 2, carry: [] }, () => {
            s.write(k.mul(s.read(), 2));
            return { carry: [], ys: [old] };
          });
          k.state("out", [2, 2]).write(ys[0] as k.Tensor);
        },
        { s: [5, 7] },
      );
      expect(out).toEqual([5, 7, 5, 7]);
    });

    it("ends by a carried condition as the iteration found it", async () => {
      const { out } = await run(() => {
        const { carry } = k.scan(
          { count: 5, carry: [k.constant(0, "bool"), k.constant(0)] },
          ([stop, n]) => ({
            carry: [k.constant(1, "bool"), k.add(n as k.Tensor, 1)],
            until: stop as k.Tensor,
          }),
        );
        k.state("out").write(carry[1] as k.Tensor);
      });
      expect(out).toEqual([2]);
    });

    it("reorders the rows of a state by its own rows", async () => {
      const { s } = await run(
        () => {
          const s = k.state("s", [3, 2]);
          const index = k.state("index", [3], { dtype: "i32" }).read();
          s.writeRows(index, s.read());
        },
        { s: [1, 2, 3, 4, 5, 6], index: [1, 2, 0] },
      );
      expect(s).toEqual([5, 6, 1, 2, 3, 4]);
    });

    it("reorders an index by itself", async () => {
      const { index } = await run(
        () => {
          const index = k.state("index", [4], { dtype: "i32" });
          index.writeRows(index.read(), k.iota(4));
        },
        { index: [3, 0, 1, 2] },
      );
      expect(index).toEqual([1, 2, 3, 0]);
    });

    it("reduces the first axis of a single column", async () => {
      const n = k.sym("n");
      const { sum, max } = await run(
        () => {
          const x = k.state("x", [n, 1]).read();
          k.state("sum", [1]).write(k.sum(x, 0));
          k.state("max", [1]).write(k.max(x, 0));
        },
        { x: [1, 2, 3, 4, 5, 6, 7] },
        { n: 7 },
      );
      expect([sum, max]).toEqual([[28], [7]]);
    });

    it("reduces a middle axis before axes of size 1 together with the last", async () => {
      const { middle, last } = await run(
        () => {
          const x = k.state("x", [2, 3, 1]).read();
          k.state("middle", [2, 1]).write(k.sum(k.mul(x, 2), 1));
          k.state("last", [2, 3]).write(k.sum(k.mul(x, 2), 2));
        },
        { x: [1, 2, 3, 4, 5, 6] },
      );
      expect([middle, last]).toEqual([
        [12, 30],
        [2, 4, 6, 8, 10, 12],
      ]);
    });

    it("leaves a value inside its column loop when only dead code in a scan uses it too", async () => {
      const { out } = await run(
        () => {
          const x = k.neg(k.state("x", [3, 2]).read());
          k.scan({ count: 2, carry: [] }, () => {
            k.slice(x, 0, 1);
            k.state("other").write(k.constant(1));
            return { carry: [] };
          });
          k.state("out", [2]).write(k.sum(x, 0));
        },
        { x: [1, 2, 3, 4, 5, 6] },
      );
      expect(out).toEqual([-9, -12]);
    });

    it("compares u32 without a sign in minimum and maximum", async () => {
      const { low, high } = await run(
        () => {
          const [a, b] = ["a", "b"].map((n) => k.state(n, [2], { dtype: "u32" }).read()) as [
            k.Tensor,
            k.Tensor,
          ];
          k.state("low", [2], { dtype: "u32" }).write(k.minimum(a, b));
          k.state("high", [2], { dtype: "u32" }).write(k.maximum(a, b));
        },
        { a: [4_000_000_000, 1], b: [5, 3_000_000_000] },
      );
      expect([low, high]).toEqual([
        [5, 1],
        [4_000_000_000, 3_000_000_000],
      ]);
    });

    it("does not let a write overtake an element-wise read of the old value", async () => {
      const { s, out } = await run(
        () => {
          const s = k.state("s", [5]);
          const old = s.read();
          const doubled = k.mul(k.state("x", [5]).read(), 2);
          // The sum puts what follows into a later loop than the one that has the value to write.
          const later = k.add(old, k.sumAll(doubled));
          s.write(doubled);
          k.state("out", [5]).write(later);
        },
        { s: [1, 2, 3, 4, 5], x: [10, 20, 30, 40, 50] },
      );
      expect([s, out]).toEqual([
        [20, 40, 60, 80, 100],
        [301, 302, 303, 304, 305],
      ]);
    });

    it.each<[string, (old: k.Tensor) => k.Tensor, number[]]>([
      ["a reduction of its columns", (old) => k.sum(old, 0), [4, 6]],
      ["a kernel", (old) => k.reshape(k.transpose(old), [4]), [1, 3, 2, 4]],
      [
        "a loop",
        (old) =>
          k.scan({ count: 2, carry: [k.zeros([2, 2])] }, ([c]) => ({ carry: [k.add(c as k.Tensor, old)] }))
            .carry[0] as k.Tensor,
        [2, 4, 6, 8],
      ],
    ])("does not let a write overtake %s of the old value", async (_what, use, expected) => {
      const { s, out } = await run(
        () => {
          const s = k.state("s", [2, 2]);
          const old = s.read();
          const next = k.mul(k.state("x", [2, 2]).read(), 2);
          const used = use(old);
          s.write(next);
          k.state("out", used.shape).write(used);
        },
        { s: [1, 2, 3, 4], x: [10, 20, 30, 40] },
      );
      expect([s, out]).toEqual([[20, 40, 60, 80], expected]);
    });

    it("reduces the columns of a chain over a value that was overwritten meanwhile", async () => {
      const { out } = await run(
        () => {
          const s = k.state("s", [2, 2]);
          const chain = k.mul(s.read(), 10);
          s.write(k.zeros([2, 2]));
          k.state("out", [2]).write(k.sum(chain, 0));
        },
        { s: [1, 2, 3, 4] },
      );
      expect(out).toEqual([40, 60]);
    });

    it("does not let a reader of the new value join a loop before the write", async () => {
      const { out } = await run(
        () => {
          const s = k.state("s", [2, 2]);
          const x = k.state("x", [2, 2]).read();
          k.state("early", [2, 2]).write(k.mul(x, 2));
          s.write(k.transpose(x));
          k.state("out", [2, 2]).write(k.add(s.read(), 1));
        },
        { x: [10, 20, 30, 40] },
      );
      expect(out).toEqual([11, 31, 21, 41]);
    });

    it("does not let a carried value be overwritten before its last element-wise read", async () => {
      const { carried, ys } = await run(
        () => {
          const x = k.state("x", [5]).read();
          const { carry, ys } = k.scan({ count: 2, carry: [x] }, ([c]) => {
            const next = k.add(x, 1);
            const seen = k.add(c as k.Tensor, k.sumAll(next));
            return { carry: [next], ys: [seen] };
          });
          k.state("carried", [5]).write(carry[0] as k.Tensor);
          k.state("ys", [2, 5]).write(ys[0] as k.Tensor);
        },
        { x: [0, 1, 2, 3, 4] },
      );
      expect(carried).toEqual([1, 2, 3, 4, 5]);
      expect(ys).toEqual([15, 16, 17, 18, 19, 16, 17, 18, 19, 20]);
    });

    it("multiplies by a matrix as it is when the loop reads it, in loops around the one that writes it", async () => {
      const { out, x } = await run(
        () => {
          const w = k.state("w", [2, 5]);
          const x = k.state("x", [1, 2]);
          const out = k.state("out", [3, 5]);
          const { ys } = k.scan({ count: 3, carry: [] }, () => {
            const { ys: inner } = k.scan({ count: 2, carry: [] }, () => {
              // Read within the loop, which leaves it: once before it is enough, but not before the loop around.
              const product = k.matmul(x.read(), w.read());
              x.write(k.add(x.read(), 1));
              return { carry: [], ys: [product] };
            });
            w.write(k.add(w.read(), 1));
            return { carry: [], ys: [k.sum(inner[0] as k.Tensor, 0)] };
          });
          out.write(k.reshape(ys[0] as k.Tensor, [3, 5]));
        },
        { w: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], x: [1, 10] },
      );
      const expected: number[] = [];
      const v = [1, 10];
      for (let outer = 0; outer < 3; outer++) {
        const row = [0, 0, 0, 0, 0];
        for (let inner = 0; inner < 2; inner++) {
          for (let c = 0; c < 5; c++)
            row[c] = (row[c] ?? 0) + (v[0] ?? 0) * (1 + c + outer) + (v[1] ?? 0) * (6 + c + outer);
          v[0] = (v[0] ?? 0) + 1;
          v[1] = (v[1] ?? 0) + 1;
        }
        expected.push(...row);
      }
      expect(out).toEqual(expected);
      expect(x).toEqual([7, 16]);
    });

    it("multiplies by what a matrix was, before and after it is written", async () => {
      const { first, second, third } = await run(
        () => {
          const w = k.state("w", [2, 5]);
          const old = w.read();
          const left = k.state("left", [1, 2]).read();
          k.state("first", [1, 5]).write(k.matmul(left, old));
          w.write(k.mul(old, 2));
          k.state("second", [1, 5]).write(k.matmul(k.mul(left, 10), old));
          k.state("third", [1, 5]).write(k.matmul(left, w.read()));
        },
        { w: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], left: [1, 1] },
      );
      expect([first, second, third]).toEqual([
        [7, 9, 11, 13, 15],
        [70, 90, 110, 130, 150],
        [14, 18, 22, 26, 30],
      ]);
    });

    it("tells the constants 0 and -0 apart when it looks for a compiled program", async () => {
      const reciprocal = (zero: number) =>
        run(() => k.state("out").write(k.div(k.state("one").read(), k.constant(zero))), { one: [1] });
      expect((await reciprocal(0)).out).toEqual([Infinity]);
      expect((await reciprocal(-0)).out).toEqual([-Infinity]);
    });

    it("takes chains of thousands of operations, and their gradients", async () => {
      const { y, g } = await run(
        () => {
          const x = k.state("x", [2]).read();
          let value = x;
          for (let i = 0; i < 4000; i++) value = k.sub(1, value);
          const [gradient] = k.grad(k.sumAll(k.mul(value, 3)), [x]);
          k.state("y", [2]).write(value);
          k.state("g", [2]).write(gradient as k.Tensor);
        },
        { x: [0.25, 2] },
      );
      expect([y, g]).toEqual([
        [0.25, 2],
        [3, 3],
      ]);
    });

    it("runs a fused group of more values than an engine allows parameters", async () => {
      // WebAssembly allows 1000, WGSL 255.
      const count = share < 1 ? 300 : 1200;
      const initial = Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, [i]]));
      const found = await run(() => {
        for (let i = 0; i < count; i++) {
          const s = k.state(`s${i}`);
          s.write(k.add(s.read(), 1));
        }
      }, initial);
      expect(Array.from({ length: count }, (_, i) => found[`s${i}`]?.[0])).toEqual(
        Array.from({ length: count }, (_, i) => i + 1),
      );
    });
  });
}
