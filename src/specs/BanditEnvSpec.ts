import { z } from "zod";
import { withAliases } from "./aliases.ts";
import { FLOWERS } from "./builtInData.ts";
import { field } from "./field.ts";
import { gymEnvShape } from "./GymEnvSpec.ts";

const file = (description: string) =>
  field(z.string().nullable().default(null), description, { outside: [FLOWERS] });

const fields = z.strictObject({
  env_type: field(z.literal("bandit"), "A contextual bandit over a labelled dataset."),
  name: field(z.string().min(1).default("BanditEnv"), "A label."),
  num_envs: gymEnvShape.num_envs,
  version: gymEnvShape.version,
  features: file("File of the features, one row for each sample."),
  targets: file("File of the targets, one for each sample."),
  entrypoint: gymEnvShape.entrypoint,
  path: gymEnvShape.path,
  env_config: gymEnvShape.env_config,
});

const madeBanditEnvSpec = withAliases(fields, { config: "env_config" });
type BanditEnvSpecMade = typeof madeBanditEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface BanditEnvSpecSchema extends BanditEnvSpecMade {}

/** The environment of bandit algorithms. */
export const BanditEnvSpec: BanditEnvSpecSchema = madeBanditEnvSpec;
export type BanditEnvSpec = z.output<typeof BanditEnvSpec>;
export type BanditEnvSpecInput = z.input<typeof fields>;
