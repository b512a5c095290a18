import { z } from "zod";
import { field, integer, layers } from "../field.ts";
import { Activation } from "./Activation.ts";
import { defineArchitecture, inferredArchitecture } from "./defineArchitecture.ts";
import { defaultsWith, storedFields, storedSize } from "./settings.ts";
import type { BoundsRule, Settings } from "./sizeBounds.ts";

const bound = { advanced: true };

const settings = {
  hidden_size: field(integer(1), "Width of the residual stream.", { unit: "nodes" }),
  num_blocks: field(layers(1), "Residual blocks."),
  output_activation: field(
    Activation.nullable().default(null),
    "Activation after the output layer. If unset, ReLU.",
  ),
  scale_factor: field(integer(1).default(4), "Width inside a block as a multiple of hidden_size.", bound),
  min_blocks: field(layers(1).default(1), "Fewest blocks a mutation may leave.", bound),
  max_blocks: field(integer(1).default(4), "Most blocks a mutation may reach.", bound),
  min_mlp_nodes: field(integer(1).default(8), "Narrowest stream a mutation may leave.", bound),
  max_mlp_nodes: field(integer(1).default(256), "Widest stream a mutation may reach.", bound),
};

const rules: readonly BoundsRule[] = [
  { size: "hidden_size", min: "min_mlp_nodes", max: "max_mlp_nodes" },
  { size: "num_blocks", min: "min_blocks", max: "max_blocks" },
];

/** Defaults for a SimBa network that callers create. */
export const SIMBA_MODULE_DEFAULTS = defaultsWith(settings, { min_mlp_nodes: 16, max_mlp_nodes: 500 });
/** Defaults for settings that a section does not give. */
const SIMBA_DEFAULTS = { ...SIMBA_MODULE_DEFAULTS, hidden_size: 128, num_blocks: 2 };

/** In a form for all kinds, the single width may be given as a list of one item. */
function withOneWidth(given: Settings): Settings {
  const { hidden_size } = given;
  const [width, ...others]: unknown[] = Array.isArray(hidden_size) ? hidden_size : [];
  return width === undefined || others.length > 0 ? given : { ...given, hidden_size: width };
}

/** SimBa as an encoder. */
export const simbaArchitecture = {
  ...defineArchitecture({
    arch: "simba",
    description: "Residual blocks over a vector.",
    settings,
    rules,
    reads: "vector",
    portable: true,
    resolve: (spec) => ({ ...spec, output_activation: spec.output_activation ?? "ReLU" }),
  }),
  inferred: {
    ...inferredArchitecture({ settings, rules, defaults: SIMBA_DEFAULTS }),
    switch: "simba" as const,
    read: withOneWidth,
  },
};

/** Residual blocks with layer normalisation (SimBa, Lee et al. 2024), with the bounds of their mutations. */
export const SimbaSpec = simbaArchitecture.spec;
export type SimbaSpec = z.output<typeof SimbaSpec>;
export type SimbaSpecInput = z.input<typeof SimbaSpec>;
export type SimbaSettings = Omit<SimbaSpec, "arch">;

/** Residual blocks with only some settings given. */
export const DeferredSimbaSpec = simbaArchitecture.inferred.deferred;
export type DeferredSimbaSpec = z.output<typeof DeferredSimbaSpec>;

const stored = storedFields(settings);

/** A SimBa network (Lee et al. 2024) as plain data. */
export const SimbaData = z.strictObject({
  kind: z.literal("simba"),
  inputs: storedSize,
  outputs: storedSize,
  hidden_size: stored.hidden_size,
  num_blocks: stored.num_blocks,
  scale_factor: stored.scale_factor,
  output_activation: stored.output_activation,
  min_blocks: stored.min_blocks,
  max_blocks: stored.max_blocks,
  min_mlp_nodes: stored.min_mlp_nodes,
  max_mlp_nodes: stored.max_mlp_nodes,
});
export type SimbaData = Readonly<z.output<typeof SimbaData>>;
