import { z } from "zod";
import { field, integer, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { deferredFields } from "./deferredFields.ts";
import { checkSize, type SizeRule } from "./sizeBounds.ts";

const bound = { advanced: true };

export const SIMBA_BOUNDS: readonly SizeRule[] = [
  { size: "hidden_size", min: "min_mlp_nodes", max: "max_mlp_nodes" },
  { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
];

export const simbaShape = {
  hidden_size: field(integer(1), "Width of the residual stream.", { unit: "nodes" }),
  num_blocks: field(layers(1), "Residual blocks."),
  output_activation: field(
    Activation.nullable().default(null),
    "Activation after the output layer. Unset, ReLU.",
  ),
  scale_factor: field(integer(1).default(4), "Width inside a block as a multiple of hidden_size.", bound),
  min_blocks: field(layers(1).default(1), "Fewest blocks a mutation may leave.", bound),
  max_blocks: field(integer(1).default(4), "Most blocks a mutation may reach.", bound),
  min_mlp_nodes: field(integer(1).default(8), "Narrowest stream a mutation may leave.", bound),
  max_mlp_nodes: field(integer(1).default(256), "Widest stream a mutation may reach.", bound),
};

/** Adds an issue where a size is out of bounds. */
export function checkSimba(spec: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  for (const rule of SIMBA_BOUNDS) checkSize(spec, rule, context);
}

/** Residual blocks with layer normalisation (SimBa, Lee et al. 2024), with the bounds their mutations keep to. */
export const SimbaSpec = z
  .strictObject({
    arch: field(z.literal("simba").default("simba"), "Residual blocks over a vector."),
    ...simbaShape,
  })
  .superRefine(checkSimba);
export type SimbaSpec = z.output<typeof SimbaSpec>;
export type SimbaSpecInput = z.input<typeof SimbaSpec>;
export type SimbaSettings = Omit<SimbaSpec, "arch">;

/** Settings that a section leaves open. */
export const SIMBA_DEFAULTS = {
  hidden_size: 128,
  num_blocks: 2,
  scale_factor: 4,
  min_blocks: 1,
  max_blocks: 4,
  min_mlp_nodes: 16,
  max_mlp_nodes: 500,
} as const;

/** Residual blocks of which only some settings are given. */
export const DeferredSimbaSpec = z
  .strictObject(deferredFields(simbaShape, SIMBA_DEFAULTS))
  .superRefine(checkSimba);
export type DeferredSimbaSpec = z.output<typeof DeferredSimbaSpec>;
