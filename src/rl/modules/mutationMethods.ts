/** What mutation methods of several kinds share: methods of equal blocks, methods of parts. */
import type { Random } from "../../evolution/random.ts";
import type { ModuleMutation, MutationArguments, MutationMethod } from "./moduleDefinition.ts";

/** Accessors of a stack of `count` blocks with one `width`, and the words in its mutation methods' names. */
export interface BlockStack<Data> {
  readonly count: (data: Data) => number;
  readonly withCount: (data: Data, count: number) => Data;
  readonly counts: (data: Data) => { readonly min: number; readonly max: number };
  readonly width: (data: Data) => number;
  readonly withWidth: (data: Data, width: number) => Data;
  /** Whether a mutation may result in this width. Kinds differ in whether a bound itself is allowed. */
  readonly allows: (data: Data, width: number, method: "add" | "remove") => boolean;
  readonly steps: readonly number[];
  /** "layer" of add_layer and remove_layer. */
  readonly unit: "layer" | "block";
  /** "node" of add_node and remove_node. */
  readonly part: "node" | "channel";
}

/** Mutation methods for stacks of equal blocks: add or remove a block, or widen or narrow all blocks. */
export function blockMethods<Data>(stack: BlockStack<Data>): readonly MutationMethod<Data>[] {
  const argument = stack.part === "node" ? "numb_new_nodes" : "numb_new_channels";
  const resize = (
    change: "add" | "remove",
    data: Data,
    random: Random,
    args: MutationArguments,
  ): ModuleMutation<Data> => {
    const step = args[argument] ?? random.choice(stack.steps);
    const width = stack.width(data) + (change === "add" ? step : -step);
    return {
      data: stack.allows(data, width, change) ? stack.withWidth(data, width) : data,
      method: `${change}_${stack.part}`,
      args: { [argument]: step },
    };
  };
  const recount = (change: "add" | "remove", data: Data, random: Random): ModuleMutation<Data> => {
    const count = stack.count(data) + (change === "add" ? 1 : -1);
    const { min, max } = stack.counts(data);
    if (count < Math.max(1, min) || count > max) return resize("add", data, random, {});
    return { data: stack.withCount(data, count), method: `${change}_${stack.unit}`, args: {} };
  };
  return (["add", "remove"] as const).flatMap((change): MutationMethod<Data>[] => [
    {
      name: `${change}_${stack.unit}`,
      type: "layer",
      apply: (data, random) => recount(change, data, random),
    },
    {
      name: `${change}_${stack.part}`,
      type: "node",
      apply: (data, random, args = {}) => resize(change, data, random, args),
    },
  ]);
}

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
