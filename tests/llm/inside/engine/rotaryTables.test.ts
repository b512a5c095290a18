/** Tables of rotary embeddings against those of transformers, which scripts/llm/record_models.py wrote. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { positionTables } from "../../../../src/llm/engine/rotaryTables.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { ROTARY_TABLES } from "../../../../src/llm/models/transformer.ts";
import { PHI } from "../../support/configs.ts";

const recorded = z
  .array(
    z.object({
      partial_rotary_factor: z.number(),
      rope_scaling: z.looseObject({ rope_type: z.string() }),
      cos: z.array(z.number()),
      sin: z.array(z.number()),
    }),
  )
  .parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, "..", "..", "fixtures", "ropes.json"), "utf8")),
  );

const POSITIONS = 64;

it.each(recorded)("$rope_scaling of $partial_rotary_factor of a head", ({ cos, sin, ...fields }) => {
  const config = parseConfig({ ...PHI, ...fields, head_dim: 16, max_position_embeddings: POSITIONS });
  const tables = positionTables(config, POSITIONS);
  const { global } = ROTARY_TABLES;
  for (const [name, expected] of [
    [global.cos, cos],
    [global.sin, sin],
  ] as const) {
    const last = tables.get(name)?.subarray(-expected.length) ?? [];
    expect([...last]).toEqual(expected.map((value) => expect.closeTo(value, 4)));
  }
});

it("dynamic scaling turns positions beyond the original ones by the base of the length that they end", () => {
  const [theta, factor, original, width] = [500, 3, 16, 8];
  const rope_scaling = { type: "dynamic", factor, rope_theta: theta };
  const given = { ...PHI, head_dim: width, partial_rotary_factor: 1, max_position_embeddings: original };
  const sines = (config: object, count: number) =>
    positionTables(parseConfig(config), count).get(ROTARY_TABLES.global.sin);
  const found = sines({ ...given, rope_scaling }, 48) ?? [];
  expect(found.slice(0, 64)).toEqual(sines({ ...given, rope_theta: theta }, 16));
  const base = (position: number): number =>
    theta * ((factor * (position + 1)) / original - (factor - 1)) ** (width / (width - 2));
  const expected = [16, 30, 47].flatMap((position) =>
    [0, 1, 2, 3].map((i) => expect.closeTo(Math.sin(position / base(position) ** ((2 * i) / width)), 4)),
  );
  expect([16, 30, 47].flatMap((position) => [...found.slice(4 * position, 4 * position + 4)])).toEqual(
    expected,
  );
});
