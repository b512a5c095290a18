/** Names that people give to what the platform keeps. None is ever a path. */
import { z } from "zod";

export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._+()-]*$/u,
    "must begin with a letter or digit, then letters, digits, spaces and ._+()-",
  );
