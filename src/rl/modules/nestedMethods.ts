import type { MutationMethod } from "./moduleDefinition.ts";

/** Adapts the mutation methods of a module's part to the whole module, with `prefix` before their names. */
export const nestedMethods = <Whole, Part>(
  prefix: string,
  methods: readonly MutationMethod<Part>[],
  partOf: (whole: Whole) => Part,
  withPart: (whole: Whole, part: Part) => Whole,
): MutationMethod<Whole>[] =>
  methods.map(({ name, type, apply }) => ({
    name: `${prefix}${name}`,
    type,
    apply: (whole, random, args) => {
      const part = partOf(whole);
      const result = apply(part, random, args);
      return {
        ...result,
        method: `${prefix}${result.method}`,
        data: result.data === part ? whole : withPart(whole, result.data),
      };
    },
  }));
