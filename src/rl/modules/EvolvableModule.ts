import { copyWeights, planCopy } from "../../evolution/copyPlan.ts";
import { Random } from "../../evolution/random.ts";
import type { TensorSpec } from "../../evolution/tensorSpec.ts";
import { initialise } from "./initialise.ts";
import type { ModuleData } from "./moduleData.ts";
import { definitionOf } from "./moduleData.ts";
import type { MutationArguments } from "./moduleDefinition.ts";

type Weights = Record<string, Float32Array>;

/** What a mutation method did: the method applied in the end (after fallbacks) and what it drew. */
export interface ModuleChange extends MutationArguments {
  readonly method: string;
  /** False when a limit forbade the change. */
  readonly changed: boolean;
}

/**
 * A network of the caller's own: data, weights, and mutations that keep the weights. Trainers take it in
 * place of the network that they would build from a specification.
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

  /** Its architecture as plain data. */
  get data(): Data {
    return this.#data;
  }

  /** Its weights by name, row-major, matrices [in, out]. The arrays themselves, not copies. */
  parameters(): Readonly<Record<string, Float32Array>> {
    return this.#weights;
  }

  /** An independent copy with the same weights. */
  abstract clone(): EvolvableModule;

  /** Names of the methods by which it may change. */
  get mutation_methods(): string[] {
    return definitionOf(this.#data)
      .methods(this.#data)
      .map(({ name }) => name);
  }

  /**
   * Applies a mutation method by its name; what `args` leave open is drawn from the module's own seed.
   * @throws RangeError for a method that the module does not have.
   */
  mutate(name: string, args: MutationArguments = {}): ModuleChange {
    const method = definitionOf(this.#data)
      .methods(this.#data)
      .find((m) => m.name === name);
    if (!method) {
      throw new RangeError(
        `mutation method: found "${name}", allowed are ${this.mutation_methods.join(", ")}`,
      );
    }
    const key = { seed: this.random_seed, stream: "module/mutation", generation: ++this.#mutations };
    const result = method.apply(this.#data, new Random(key), args);
    const plan = planCopy(tensorsOf(this.#data), tensorsOf(result.data));
    const changed = result.data !== this.#data;
    if (changed) {
      this.#weights = copyWeights(plan, this.#weights, (spec, added) =>
        initialise(spec, key, added ? (spec.added ?? spec.init) : spec.init),
      );
      // A method keeps the kind of module.
      this.#data = result.data as Data;
    }
    return { method: result.method, changed, ...result.args };
  }

  protected copyWeights(): Weights {
    return Object.fromEntries(Object.entries(this.#weights).map(([name, w]) => [name, w.slice()]));
  }
}

const tensorsOf = (data: ModuleData): TensorSpec[] => definitionOf(data).tensors(data, "", {});
