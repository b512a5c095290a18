import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { tagged } from "../taggedUnion.ts";
import { ALGORITHMS } from "./definitions.ts";
import { canonicalName, findAlgorithm, KNOWN_ALGORITHMS } from "./names.ts";

type Schemas<D extends readonly { readonly schema: z.ZodObject }[]> = {
  -readonly [K in keyof D]: D[K]["schema"];
};

// A list's map forgets which place holds which schema.
const schemas = ALGORITHMS.map(({ schema }) => schema) as unknown as Schemas<typeof ALGORITHMS>;

const byName = tagged(z.discriminatedUnion("name", schemas), {
  what: "algorithm",
  key: "name",
  tags: ALGORITHMS.map((algorithm) => algorithm.name),
  known: KNOWN_ALGORITHMS,
});

/** Any algorithm spec of this build, told apart by `name`. */
export const AlgoSpec = z.preprocess((input: z.input<typeof byName>, context): unknown => {
  const raw: unknown = input;
  if (!isMapping(raw) || raw.name === undefined) return raw;
  const name = canonicalName(raw.name);
  return { ...(findAlgorithm(name)?.prepare?.(raw, context) ?? raw), name };
}, byName);
export type AlgoSpec = z.output<typeof AlgoSpec>;
export type AlgoSpecInput = z.input<typeof AlgoSpec>;
