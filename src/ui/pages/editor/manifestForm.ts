import { manifestJsonSchema } from "../../../specs/index.ts";
import { type FormSchema, formOfSchema } from "./form/formOfSchema.ts";

/** The form of every field that a manifest may have, made from the specs once. */
export const manifestForm = formOfSchema(manifestJsonSchema() as FormSchema);
