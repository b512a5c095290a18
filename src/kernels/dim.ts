/**
 * Dimensions of tensor shapes: a number, or an integer polynomial over symbols (`batch`, `hidden0`).
 * A symbol is bound per member at run time, so that one compiled program serves every width.
 */

/** Integer polynomial over symbols in canonical form; equal polynomials have equal `key`s. */
export interface DimExpr {
  /** Coefficient of each monomial; a monomial is its sorted symbols joined by `*`, the constant is "". */
  readonly terms: ReadonlyMap<string, number>;
  readonly key: string;
}

export type Dim = number | DimExpr;
export type Shape = readonly Dim[];

/** Values of the symbols of one member. */
export type Binding = Readonly<Record<string, number>>;

const SYMBOL = /^[A-Za-z_][\w.[\]]*$/;

/** A named dimension.
 * @throws RangeError when the name is not an identifier (letters, digits, `_`, `.`). */
export function sym(name: string): Dim {
  if (!SYMBOL.test(name)) throw new RangeError(`dimension symbol: found "${name}", allowed ${SYMBOL.source}`);
  return fromTerms(new Map([[name, 1]]));
}

function fromTerms(terms: Map<string, number>): Dim {
  for (const [monomial, coefficient] of terms) if (coefficient === 0) terms.delete(monomial);
  if (terms.size === 0) return 0;
  const constant = terms.get("");
  if (terms.size === 1 && constant !== undefined) return constant;
  const sorted = new Map([...terms].sort(([a], [b]) => (a < b ? -1 : 1)));
  const key = [...sorted].map(([m, c]) => (m === "" ? `${c}` : c === 1 ? m : `${c}*${m}`)).join("+");
  return { terms: sorted, key };
}

function termsOf(dim: Dim): ReadonlyMap<string, number> {
  return typeof dim === "number" ? new Map(dim === 0 ? [] : [["", dim]]) : dim.terms;
}

export function addDims(...dims: readonly Dim[]): Dim {
  const sum = new Map<string, number>();
  for (const dim of dims) for (const [m, c] of termsOf(dim)) sum.set(m, (sum.get(m) ?? 0) + c);
  return fromTerms(sum);
}

export function mulDims(...dims: readonly Dim[]): Dim {
  let factor = 1;
  const expressions: DimExpr[] = [];
  for (const dim of dims) {
    if (typeof dim === "number") factor *= dim;
    else expressions.push(dim);
  }
  const [first] = expressions;
  // The product may be -0.
  if (factor === 0) return 0;
  if (!first) return factor;
  if (factor === 1 && expressions.length === 1) return first;
  let product: ReadonlyMap<string, number> = new Map([["", factor]]);
  for (const dim of expressions) {
    const next = new Map<string, number>();
    for (const [m1, c1] of product) {
      for (const [m2, c2] of dim.terms) {
        const m = [...(m1 ? m1.split("*") : []), ...(m2 ? m2.split("*") : [])].sort().join("*");
        next.set(m, (next.get(m) ?? 0) + c1 * c2);
      }
    }
    product = next;
  }
  return fromTerms(new Map(product));
}

export const subDims = (a: Dim, b: Dim): Dim => addDims(a, mulDims(-1, b));

/** Divides a dimension by a number.
 * @throws RangeError unless every coefficient is a multiple of `divisor`. */
export function divDim(dim: Dim, divisor: number): Dim {
  const quotient = new Map<string, number>();
  for (const [monomial, coefficient] of termsOf(dim)) {
    if (coefficient % divisor !== 0)
      throw new RangeError(`dimension: found ${dimKey(dim)}, allowed multiples of ${divisor}`);
    quotient.set(monomial, coefficient / divisor);
  }
  return fromTerms(quotient);
}

/** Number of elements of a shape (1 for a scalar). */
export const sizeOf = (shape: Shape): Dim => mulDims(...shape);

export const dimKey = (dim: Dim): string => (typeof dim === "number" ? `${dim}` : dim.key);
export const sameDim = (a: Dim, b: Dim): boolean => a === b || dimKey(a) === dimKey(b);
export const shapeKey = (shape: Shape): string => `[${shape.map(dimKey).join(",")}]`;
export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((dim, i) => sameDim(dim, b[i] as Dim));

/** Symbols that occur in a dimension. */
export function symbolsOf(dim: Dim): string[] {
  if (typeof dim === "number") return [];
  return [...new Set([...dim.terms.keys()].flatMap(symbolsIn))];
}

/** Cache of the symbols in each monomial, because dimensions are evaluated often. The names of dimensions limit its size. */
const monomials = new Map<string, readonly string[]>();

function symbolsIn(monomial: string): readonly string[] {
  const known = monomials.get(monomial);
  if (known) return known;
  const symbols = monomial === "" ? [] : monomial.split("*");
  monomials.set(monomial, symbols);
  return symbols;
}

/** Value of a dimension under a binding.
 * @throws RangeError naming the unbound symbol. */
export function evalDim(dim: Dim, binding: Binding): number {
  if (typeof dim === "number") return dim;
  let sum = 0;
  for (const [monomial, coefficient] of dim.terms) {
    let product = coefficient;
    for (const name of symbolsIn(monomial)) {
      const value = binding[name];
      if (value === undefined) {
        throw new RangeError(
          `dimension "${name}" is not bound; bound dimensions: ${Object.keys(binding).join(", ") || "none"}`,
        );
      }
      product *= value;
    }
    sum += product;
  }
  return sum;
}
