import fc from "fast-check";
import { expect, it } from "vitest";
import { cosine, sine } from "../../../../src/rl/environments/dynamics/trigonometry.ts";

const angle = fc.double({ min: -1e6, max: 1e6, noNaN: true });

it("is sine and cosine to the last bits", () => {
  fc.assert(
    fc.property(angle, (x) => {
      expect(Math.abs(sine(x) - Math.sin(x))).toBeLessThan(3e-16);
      expect(Math.abs(cosine(x) - Math.cos(x))).toBeLessThan(3e-16);
    }),
  );
});

it("is exact at 0 and even or odd", () => {
  expect([sine(0), cosine(0)]).toEqual([0, 1]);
  fc.assert(
    fc.property(angle, (x) => {
      expect(sine(-x)).toBe(-sine(x));
      expect(cosine(-x)).toBe(cosine(x));
    }),
  );
});
