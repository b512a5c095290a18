import { manifestJsonSchema } from "../../../specs/index.ts";
import { type FormSchema, formOfSchema } from "./form/formOfSchema.ts";

/** The form with every field of a manifest, built once from the specs. */
export const manifestForm = formOfSchema(manifestJsonSchema() as FormSchema);
