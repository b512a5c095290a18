/** Names that users give to runs and projects. They are never used as paths. */
import { z } from "zod";

export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._+()-]*$/u,
    "must begin with a letter or digit, then letters, digits, spaces and ._+()-",
  );
