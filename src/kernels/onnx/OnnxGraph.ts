import type { OnnxAttributes, OnnxConstant, OnnxNode, OnnxType } from "./model.ts";

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
