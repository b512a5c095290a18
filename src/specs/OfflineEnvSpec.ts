import { z } from "zod";
import { withAliases } from "./aliases.ts";
import { CARTPOLE_RULE } from "./builtInData.ts";
import { field } from "./field.ts";
import { checkEntrypoint, GYM_ALIASES, gymEnvShape } from "./GymEnvSpec.ts";

const fields = z
  .strictObject({
    env_type: field(z.literal("offline"), "An environment to evaluate in, with a dataset to learn from."),
    ...gymEnvShape,
    hub_dataset_id: field(
      z.string().nullable().default(null),
      "Dataset on the hub, such as cartpole/random-v0.",
    ),
    dataset_path: field(z.string().nullable().default(null), "Dataset file (HDF5).", {
      outside: [CARTPOLE_RULE],
    }),
    remote: field(z.boolean().default(false), "Fetches the hub dataset instead of using a local copy."),
  })
  .superRefine(checkEntrypoint);

const madeOfflineEnvSpec = withAliases(fields, { ...GYM_ALIASES, minari_dataset_id: "hub_dataset_id" });
type OfflineEnvSpecMade = typeof madeOfflineEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface OfflineEnvSpecSchema extends OfflineEnvSpecMade {}

/** An environment for offline algorithms. */
export const OfflineEnvSpec: OfflineEnvSpecSchema = madeOfflineEnvSpec;
export type OfflineEnvSpec = z.output<typeof OfflineEnvSpec>;
export type OfflineEnvSpecInput = z.input<typeof fields>;
