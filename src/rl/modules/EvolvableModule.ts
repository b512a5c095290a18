import { copyWeights, planCopy, type TensorSpec } from "../../evolution/members.ts";
import { Random } from "../../evolution/random.ts";
import { initialise } from "./initialise.ts";
import type { ModuleData } from "./moduleData.ts";
import { definitionOf } from "./moduleData.ts";
import type { MutationArguments } from "./moduleDefinition.ts";

type Weights = Record<string, Float32Array>;

/** The effect of a mutation: the method that was applied, after any fallback, and its arguments. */
export interface ModuleChange extends MutationArguments {
  readonly method: string;
  /** False when a limit prevented the change. */
  readonly changed: boolean;
}

/**
 * A user-defined network: data, weights, and mutations that keep the weights. Trainers accept it in place of
 * the network that they would build from a specification.
 *
 * @example
 * ```ts
 * const module: EvolvableModule = new EvolvableMLP({ num_inputs: 4, num_outputs: 2, hidden_size: [32] });
 * console.log(module.data.kind); // mlp
 * ```
 */
export abstract class EvolvableModule<Data extends ModuleData = ModuleData> {
  readonly random_seed: number;
  #data: Data;
  #weights: Weights;
  #mutations = 0;

  protected constructor(data: Data, random_seed: number, weights?: Weights) {
    this.random_seed = random_seed;
    this.#data = data;
    this.#weights =
      weights ??
      Object.fromEntries(
        tensorsOf(data).map((spec) => [spec.name, initialise(spec, { seed: random_seed, stream: "module" })]),
      );
  }

  /** The architecture as plain data. */
  get data(): Data {
    return this.#data;
  }

  /** The weights by name, row-major, matrices [in, out]. Returns the arrays themselves, not copies. */
  parameters(): Readonly<Record<string, Float32Array>> {
    return this.#weights;
  }

  /** An independent copy with the same weights. */
  abstract clone(): EvolvableModule;

  /** Names of the module's mutation methods. */
  get mutation_methods(): string[] {
    return definitionOf(this.#data)
      .methods(this.#data)
      .map(({ name }) => name);
  }

  /**
   * Applies a mutation method by name. Arguments missing from `args` are drawn from the module's own seed.
   * @throws RangeError when the module does not have the method.
   */
  mutate(name: string, args: MutationArguments = {}): ModuleChange {
    const method = definitionOf(this.#data)
      .methods(this.#data)
      .find((m) => m.name === name);
    if (!method) {
      throw new RangeError(`mutation method: found "${name}", allowed ${this.mutation_methods.join(", ")}`);
    }
    const key = { seed: this.random_seed, stream: "module/mutation", generation: ++this.#mutations };
    const result = method.apply(this.#data, new Random(key), args);
    const plan = planCopy(tensorsOf(this.#data), tensorsOf(result.data));
    const changed = result.data !== this.#data;
    if (changed) {
      this.#weights = copyWeights(plan, this.#weights, (spec, added) =>
        initialise(spec, key, added ? (spec.added ?? spec.init) : spec.init),
      );
      // A mutation method never changes the kind of module.
      this.#data = result.data as Data;
    }
    return { method: result.method, changed, ...result.args };
  }

  protected copyWeights(): Weights {
    return Object.fromEntries(Object.entries(this.#weights).map(([name, w]) => [name, w.slice()]));
  }
}

const tensorsOf = (data: ModuleData): TensorSpec[] => definitionOf(data).tensors(data, "", {});
