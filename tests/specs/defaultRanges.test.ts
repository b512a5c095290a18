// @apart: registers an algorithm.
import { expect, it } from "vitest";
import { z } from "zod";
import { Random, RLParameter } from "../../src/evolution/index.ts";
import { defaultHpRanges, parseAlgorithm, registerAlgorithmSpec } from "../../src/manifests/index.ts";
import { defineAlgorithm } from "../../src/specs/algorithms.ts";

it("default ranges around 0 can be left, and those of negative values have their bounds in order", () => {
  const definition = defineAlgorithm({
    name: "Offset",
    title: "Offset",
    schema: z.strictObject({
      name: z.literal("Offset").default("Offset"),
      bias: z.number().default(-2),
      shift: z.number().default(0),
      few: z.number().max(0.5).default(0),
      count: z.int().min(0).default(0),
    }),
    default_hp: ["bias", "shift", "few", "count"],
  });
  registerAlgorithmSpec(definition);
  const ranges = defaultHpRanges(parseAlgorithm("Offset"));
  const ends = Object.fromEntries(Object.entries(ranges).map(([name, { min, max }]) => [name, [min, max]]));
  expect(ends).toEqual({ bias: [-20, -0.2], shift: [0, 1], few: [0, 0.5], count: [0, 4] });
  const random = new Random({ seed: 1, stream: "mutation" });
  const { min = 0, max = 0 } = ranges.shift ?? {};
  const moved = Array.from({ length: 20 }, () => new RLParameter({ min, max }).mutate(0, random));
  expect(moved.some((value) => value > 0)).toBe(true);
});
