/** The platform's responses, as far as the client reads them. Other fields are passed through. */
import { z } from "zod";

/** Any object. */
export const AnyObject = z.record(z.string(), z.unknown());
export const AnyObjects = z.array(AnyObject);
export const Existence = z.looseObject({ exists: z.boolean() });
/** Environments by name, then by version. */
export const Environments = z.record(z.string(), z.record(z.string(), AnyObject));
/** A checkpoint that can be downloaded. */
export const Checkpoint = z.looseObject({
  name: z.string(),
  /** URL of its zip file, or a path on the platform. */
  download_url: z.string().regex(/^(https?:\/\/|\/(?!\/))/, "is neither an http address nor a path"),
});
export const Metrics = z.union([z.array(z.string()), AnyObject]);

export const Upload = z.looseObject({ dataset_path: z.string() });
