import { z } from "zod";

/** The name of an artifact: the SHA-256 of its bytes, in hexadecimal. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
