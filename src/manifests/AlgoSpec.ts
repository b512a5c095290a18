import { z } from "zod";
import type { NetworkMap, NetworkSection } from "../rl/networks.ts";
import { type Prepared, tagged } from "../specs/checks.ts";
import { isMapping } from "../specs/messages.ts";
import { canonicalName, DEFINITIONS, findAlgorithm, KNOWN_ALGORITHMS } from "./names.ts";

type Schemas<D extends readonly { readonly schema: z.ZodObject }[]> = {
  -readonly [K in keyof D]: D[K]["schema"];
};

// The type of a list's `map` does not keep which position holds which schema.
const schemas = DEFINITIONS.map(({ schema }) => schema) as unknown as Schemas<typeof DEFINITIONS>;

type Union = z.ZodDiscriminatedUnion<Schemas<typeof DEFINITIONS>, "name">;
/** Named for the same reason as {@link AlgoSpecSchema}. */
interface AlgorithmUnion extends Union {}

const byName: AlgorithmUnion = tagged(z.discriminatedUnion("name", schemas), {
  what: "algorithm",
  key: "name",
  tags: DEFINITIONS.map((algorithm) => algorithm.name),
  known: KNOWN_ALGORITHMS,
});

const madeAlgoSpec: Prepared<AlgorithmUnion> = z.preprocess(
  (input: z.input<typeof byName>, context): unknown => {
    const raw: unknown = input;
    if (!isMapping(raw) || raw.name === undefined) return raw;
    const name = canonicalName(raw.name);
    return { ...(findAlgorithm(name)?.prepare?.(raw, context) ?? raw), name };
  },
  byName,
);
type AlgoSpecMade = typeof madeAlgoSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface AlgoSpecSchema extends AlgoSpecMade {}

/**
 * Any algorithm spec of this build, selected by `name`.
 *
 * @example
 * ```ts
 * const spec = AlgoSpec.parse({ name: "DQN", lr: 0.001 });
 * console.log(spec.name === "DQN" && spec.batch_size); // 64
 * ```
 */
export const AlgoSpec: AlgoSpecSchema = madeAlgoSpec;
export type AlgoSpec = z.output<typeof AlgoSpec>;
export type AlgoSpecInput = z.input<typeof AlgoSpec>;

/** The network in an algorithm's own spec, when used without a manifest; null if there is none. */
export const ownNetwork = (spec: AlgoSpec): NetworkSection | NetworkMap | null =>
  "net_config" in spec ? spec.net_config : null;
