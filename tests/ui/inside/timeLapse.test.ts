import { expect, it } from "vitest";
import { timeLapseStops } from "../../../src/ui/pages/run/wall/useTimeLapse.ts";

it.each([
  [0, []],
  [1, [1]],
  [3, [1, 2, 3]],
  [12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  [1000, [1, 92, 183, 273, 364, 455, 546, 637, 728, 818, 909, 1000]],
])("a time-lapse of %i generations", (count, stops) => {
  expect(timeLapseStops(Array.from({ length: count }, (_, at) => at + 1))).toEqual(stops);
});
