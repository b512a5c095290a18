import fc from "fast-check";
import { expect, it } from "vitest";
import { placeInRange, SLIDER_STEPS, valueAtPlace } from "../../../src/ui/pages/run/steering/geneSlider.ts";

const ranges = fc
  .tuple(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.double({ min: 1.5, max: 1e4, noNaN: true }))
  .map(([min, factor]) => ({ min, max: min * factor }));

it("a slider's ends are those of the range, and its values never leave it", () => {
  fc.assert(
    fc.property(ranges, fc.integer({ min: 0, max: SLIDER_STEPS }), (range, place) => {
      const value = valueAtPlace(place, range, range.min);
      expect(value).toBeGreaterThanOrEqual(range.min);
      expect(value).toBeLessThanOrEqual(range.max);
      // Three digits are coarser than the steps of a narrow range.
      expect(Math.abs(placeInRange(value, range) - place)).toBeLessThanOrEqual(3);
      expect([placeInRange(range.min, range), placeInRange(range.max, range)]).toEqual([0, SLIDER_STEPS]);
      expect(placeInRange(range.max * 2, range)).toBe(SLIDER_STEPS);
    }),
  );
});

it("is logarithmic over a wide range, and whole for whole numbers", () => {
  expect(valueAtPlace(SLIDER_STEPS / 2, { min: 1e-4, max: 1e-2 }, 3e-4)).toBe(0.001);
  expect(valueAtPlace(SLIDER_STEPS / 2, { min: 8, max: 32 }, 16)).toBe(20);
  expect(valueAtPlace(SLIDER_STEPS / 4, { min: 1, max: 4 }, 2)).toBe(2);
  expect(valueAtPlace(SLIDER_STEPS / 4, { min: 1, max: 4 }, 0.5)).toBe(1.75);
});
