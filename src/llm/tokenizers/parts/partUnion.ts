import { z } from "zod";
import { tagged } from "../../../specs/checks.ts";

/** One of several kinds of a part of tokenizer.json, by its `type`. @param what Names the part in errors. */
export function partUnion<T>(what: string, kinds: readonly z.ZodType<T>[]): z.ZodType<T> {
  const tags = kinds.flatMap((kind) => Array.from(kind._zod.propValues?.type ?? [], String));
  // The type of discriminatedUnion wants the kinds one by one, each with its own fields.
  const union = z.discriminatedUnion("type", kinds as unknown as [z.core.$ZodTypeDiscriminable]);
  // The kinds all give a T.
  return tagged(union as unknown as z.ZodType<T>, { what, key: "type", tags });
}
