/** One line of the stream that answers a submission (NDJSON). */
import { z } from "zod";

/** How every line begins; what kinds there are grows with the platform. */
export const StreamLine = z.looseObject({
  kind: z.string(),
  stage: z.string().nullish(),
  status: z.string().nullish(),
  message: z.string().nullish(),
  level: z.string().nullish(),
  detail: z.record(z.string(), z.unknown()).nullish(),
});
export type StreamLine = z.output<typeof StreamLine>;
