import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { Appearance } from "./Appearance.ts";

const Shape = z.strictObject({
  path: z.string().min(1),
  style: z.enum(["body", "moving", "guide"]).optional(),
});

const Shown = z.strictObject({
  draw: z.custom((value) => typeof value === "function", "must be a function").optional(),
  glyph: z.array(Shape).optional(),
  frame_rate: z.number().positive().optional(),
});

/** @throws SpecError naming the environment's id and each invalid field of its appearance. */
export function requireAppearance({
  id,
  draw,
  glyph,
  frame_rate,
}: Appearance & { readonly id: string }): void {
  parseSpec(Shown, { draw, glyph, frame_rate }, id);
}
