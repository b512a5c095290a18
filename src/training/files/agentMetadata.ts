/** The text fields of an agent file, as JSON values. */

import { z } from "zod";
import { jsonSpace } from "../../rl/environments.ts";
import { listModules, type ModuleData, NETWORK_KINDS, type NetworkData } from "../../rl/networks.ts";
import { isMapping, show } from "../../specs/messages.ts";

/** Marks the issue of a module whose kind is not registered. */
export const UNKNOWN_KIND = { unknown: "kind" };

/** Data of any module, checked by the schema of its kind; includes kinds that are registered later. */
const moduleData: z.ZodType<ModuleData> = z.unknown().transform((raw, context): ModuleData => {
  if (!isMapping(raw)) {
    context.issues.push({ code: "invalid_type", expected: "object", input: raw });
    return z.NEVER;
  }
  const modules = listModules();
  const definition = modules.find(({ kind }) => kind === raw.kind);
  if (!definition) {
    const known = modules.map(({ kind }) => kind).join(", ");
    const message = `found ${show(raw.kind)}, allowed: ${known}`;
    // With `continue`, a union (such as an encoder) reports this issue instead of a generic "no member
    // matches".
    context.issues.push({
      code: "custom",
      path: ["kind"],
      message,
      params: UNKNOWN_KIND,
      input: raw.kind,
      continue: true,
    });
    return z.NEVER;
  }
  const { data, error } = definition.schema.safeParse(raw);
  if (data !== undefined) return data;
  for (const { path, message } of error.issues)
    context.issues.push({ code: "custom", path, message, input: raw });
  return z.NEVER;
});

const size = z.int().positive();
const count = z.int().nonnegative();

/** JSON has neither infinities nor NaN, and writes -0 as 0. */
const NAMED = { nan: Number.NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 } as const;
/** The schema of a number that {@link numberToJson} wrote. */
export const jsonNumber = z.union([
  z.number(),
  z.enum(Object.keys(NAMED) as (keyof typeof NAMED)[]).transform((text) => NAMED[text]),
]);

/** A number as a JSON value that {@link jsonNumber} reads. */
export const numberToJson = (x: number): number | string =>
  Object.entries(NAMED).find(([, value]) => Object.is(value, x))?.[0] ?? x;

const networkData: z.ZodType<NetworkData> = z.strictObject({
  kind: z.enum(NETWORK_KINDS),
  encoder: z.union([moduleData, z.literal("shared"), z.null()]),
  latent_dim: size,
  min_latent_dim: count,
  max_latent_dim: count,
  head: moduleData,
  distribution: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("categorical"), actions: size }),
      z.strictObject({ kind: z.literal("multi_categorical"), nvec: z.array(size) }),
      z.strictObject({ kind: z.literal("bernoulli"), n: size }),
      z.strictObject({
        kind: z.literal("normal"),
        size,
        log_std_init: z.number(),
        squash_output: z.boolean(),
      }),
      z.strictObject({ kind: z.literal("squashed_normal"), size }),
    ])
    .nullable(),
  /** Absent in files from before Box actions were scaled each for itself. */
  box_actions: z.literal("each").optional(),
  num_atoms: size.optional(),
});

const positive = z.number().positive();

/** Settings of an agent's normalisation; its statistics are tensors. */
export const agentNormalization = z.strictObject({
  observations: z.boolean(),
  rewards: z.boolean(),
  clip_observations: positive.nullable(),
  clip_rewards: positive.nullable(),
  epsilon: positive,
  reward_scale: z.number(),
  reward_clip: z.tuple([z.number(), z.number()]).nullable(),
});

/** Metadata of an agent file. Fields that the writer does not know are null or absent. */
export const agentMetadata = z.object({
  algorithm: z.string(),
  index: z.int(),
  parent: z.int().nullable(),
  mut: z.string(),
  steps: count,
  learn_credit: z.number(),
  fitness: z.array(jsonNumber),
  /** Fitness by agent id; absent for a single agent, before the first evaluation, and in older files. */
  agent_fitness: z.record(z.string(), jsonNumber).optional(),
  hyperparameters: z.record(z.string(), z.union([jsonNumber, z.boolean(), z.string(), z.null()])),
  networks: z.record(z.string(), networkData),
  optimizers: z.record(
    z.string(),
    z.strictObject({
      networks: z.array(z.string()),
      parameters: z.array(z.string()).optional(),
      lr: z.string(),
      step: count,
    }),
  ),
  /** Shapes of the algorithm's own parameters; absent if it has none. */
  parameters: z.record(z.string(), z.array(size)).optional(),
  /** Absent if the agent takes observations and rewards as they are. */
  normalization: agentNormalization.optional(),
  observation_space: jsonSpace.nullable(),
  action_space: jsonSpace.nullable(),
  environment: z.string().nullable(),
  /** Absent in older files. */
  env_config: z.record(z.string(), z.json()).nullable().default(null),
  num_envs: size.nullable(),
});
export type AgentMetadata = z.output<typeof agentMetadata>;
