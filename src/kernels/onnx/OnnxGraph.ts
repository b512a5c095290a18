import { type Binding, type Dim, type DimExpr, evalDim, type Shape, sym, symbolsOf } from "../dim.ts";
import {
  ELEMENT_TYPES,
  type OnnxAttributes,
  type OnnxConstant,
  type OnnxNode,
  type OnnxType,
} from "./model.ts";

/** Nodes and constants of a model under construction. Equal ones are created once. */
export class OnnxGraph {
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxConstant[] = [];
  readonly #known = new Map<string, string>();

  /** Adds an operator and returns the name of its value. */
  node(operator: string, inputs: readonly string[], attributes: OnnxAttributes = {}): string {
    return this.#once(JSON.stringify([operator, inputs, attributes]), () => {
      const output = `${operator}_${this.nodes.length}`;
      this.nodes.push({ operator, inputs, output, attributes });
      return output;
    });
  }

  /** Adds a constant and returns its name. */
  constant(type: OnnxType, values: readonly number[], shape: readonly number[] = [values.length]): string {
    // JSON has no infinities and no -0.
    const texts = values.map((value) => (Object.is(value, -0) ? "-0" : String(value)));
    return this.#once(JSON.stringify([type, texts, shape]), () => {
      const name = `constant_${this.constants.length}`;
      this.constants.push({ name, type, shape, values });
      return name;
    });
  }

  /** Adds a scalar and returns its name. */
  scalar(type: OnnxType, value: number): string {
    return this.constant(type, [value], []);
  }

  #once(key: string, make: () => string): string {
    const name = this.#known.get(key) ?? make();
    this.#known.set(key, name);
    return name;
  }
}

/** A value, and which of its dimensions a size is. */
export interface SizePlace {
  readonly name: string;
  readonly axis: number;
}

/** Sizes in a graph: numbers if they are known, otherwise computed from the sizes of its inputs. */
export class GraphSizes {
  readonly #graph: OnnxGraph;
  readonly #binding: Binding;
  readonly #free: readonly string[];
  readonly #placeOf: (symbol: string) => SizePlace;

  /**
   * @param binding Values of all symbols except the free ones.
   * @param free The symbols whose values are known only when the model runs.
   * @param placeOf Where a free symbol's value is found.
   */
  constructor(
    graph: OnnxGraph,
    binding: Binding,
    free: readonly string[],
    placeOf: (symbol: string) => SizePlace,
  ) {
    this.#graph = graph;
    this.#binding = binding;
    this.#free = free;
    this.#placeOf = placeOf;
  }

  /**
   * The size as a number; null if it is known only when the model runs.
   * @throws RangeError for a symbol that is not bound.
   */
  known(dim: Dim): number | null {
    return symbolsOf(dim).some((symbol) => this.#free.includes(symbol)) ? null : evalDim(dim, this.#binding);
  }

  /** Adds a reshape, which infers a single unknown size. Several may be 0. */
  reshape(x: string, shape: Shape): string {
    const unknown = shape.filter((dim) => this.known(dim) === null).length;
    const attributes: OnnxAttributes = unknown > 1 ? { allowzero: 1 } : {};
    return this.#graph.node("Reshape", [x, this.reshaped(shape)], attributes);
  }

  /** Adds the sizes as an i64 vector and returns its name. */
  vector(shape: Shape): string {
    const known = shape.map((dim) => this.known(dim));
    if (known.every((size) => size !== null)) return this.#graph.constant("i64", known);
    const parts = shape.map((dim) => this.#one(dim));
    return parts.length === 1 ? (parts[0] as string) : this.#graph.node("Concat", parts, { axis: 0 });
  }

  /** Adds a size as a scalar of the type and returns its name. */
  scalar(dim: Dim, type: "f32" | "i32"): string {
    const known = this.known(dim);
    if (known !== null) return this.#graph.scalar(type, known);
    const scalar = this.#graph.node("Reshape", [this.#one(dim), this.#graph.constant("i64", [])]);
    return this.#graph.node("Cast", [scalar], { to: ELEMENT_TYPES[type] });
  }

  /** Adds the sizes of `shape` for a reshape, which infers a single unknown size, and returns their name. */
  reshaped(shape: Shape): string {
    const known = shape.map((dim) => this.known(dim));
    if (known.filter((size) => size === null).length > 1) return this.vector(shape);
    return this.#graph.constant(
      "i64",
      known.map((size) => size ?? -1),
    );
  }

  /** Adds one size as an i64 [1] and returns its name. */
  #one(dim: Dim): string {
    const known = this.known(dim);
    if (known !== null || typeof dim === "number") return this.#graph.constant("i64", [known ?? 0]);
    return this.#polynomial(dim);
  }

  #polynomial({ terms }: DimExpr): string {
    const sums = [...terms].map(([monomial, coefficient]) => {
      const symbols = monomial === "" ? [] : monomial.split("*");
      const factors = symbols.filter((symbol) => this.#free.includes(symbol)).map((one) => this.#sizeOf(one));
      const rest = symbols.filter((symbol) => !this.#free.includes(symbol));
      const number = rest.reduce(
        (product, symbol) => product * evalDim(sym(symbol), this.#binding),
        coefficient,
      );
      if (number !== 1 || factors.length === 0) factors.push(this.#graph.constant("i64", [number]));
      return factors.reduce((a, b) => this.#graph.node("Mul", [a, b]));
    });
    return sums.reduce((a, b) => this.#graph.node("Add", [a, b]));
  }

  #sizeOf(symbol: string): string {
    const { name, axis } = this.#placeOf(symbol);
    return this.#graph.node("Shape", [name], { start: axis, end: axis + 1 });
  }
}
