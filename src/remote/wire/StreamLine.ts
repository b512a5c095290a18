/** One line of the stream that answers a submission (NDJSON). */
import { z } from "zod";

/** Fields common to all lines. Future platforms may add kinds. */
export const StreamLine = z.looseObject({
  kind: z.string(),
  stage: z.string().nullish(),
  status: z.string().nullish(),
  message: z.string().nullish(),
  level: z.string().nullish(),
  detail: z.record(z.string(), z.unknown()).nullish(),
});
export type StreamLine = z.output<typeof StreamLine>;
