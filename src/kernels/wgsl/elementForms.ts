/** Element-wise operations and reductions in WGSL: one entry for each. */
import type { ElementwiseName, Operands, ReductionOp } from "../op.ts";
import type { DType, Tensor } from "../tensor.ts";

/** The result as an expression; operands are names of values, or literals. */
type ElementForm = (operands: Operands<string>, node: Tensor) => string;

const operator =
  (sign: string): ElementForm =>
  ([a, b]) =>
    `(${a} ${sign} ${b})`;

const call =
  (name: string): ElementForm =>
  ([x]) =>
    `${name}(${x})`;

const shift =
  (sign: "<<" | ">>"): ElementForm =>
  ([x], { attrs }) =>
    `(${x} ${sign} ${attrs.by as number}u)`;

/** The first operand, unchanged. */
const passed: ElementForm = ([x]) => x;

export const ELEMENT_FORMS: Readonly<Record<ElementwiseName, ElementForm>> = {
  abs: call("abs"),
  add: operator("+"),
  div: operator("/"),
  floor: call("floor"),
  maximum: ([a, b]) => `select(${a}, ${b}, ${a} < ${b})`,
  minimum: ([a, b]) => `select(${a}, ${b}, ${b} < ${a})`,
  mul: operator("*"),
  neg: ([x]) => `(-${x})`,
  sqrt: call("sqrt"),
  sub: operator("-"),

  bitAnd: operator("&"),
  bitOr: operator("|"),
  bitXor: operator("^"),
  shiftLeft: shift("<<"),
  shiftRight: shift(">>"),

  and: operator("&&"),
  equal: operator("=="),
  greater: operator(">"),
  greaterEqual: operator(">="),
  less: operator("<"),
  lessEqual: operator("<="),
  not: ([a]) => `(!${a})`,
  or: operator("||"),
  select: ([condition, a, b]) => `select(${b}, ${a}, ${condition})`,

  cos: call("cosOf"),
  elu: passed,
  exp: call("expOf"),
  gate: ([y, g]) => `select(${g}, 0.0, ${y} <= 0.0)`,
  gelu: passed,
  log: call("logOf"),
  relu: ([x]) => `select(${x}, 0.0, ${x} < 0.0)`,
  sin: call("sinOf"),
  standardize: operator("*"),
  tanh: call("tanhOf"),

  broadcast: passed,
  cast: ([x], { dtype, inputs }) => {
    const from = inputs[0]?.dtype;
    if (from === "bool") return `select(${dtype}(0), ${dtype}(1), ${x})`;
    if (dtype === "f32") return from === "u32" ? `floatOf(${x})` : `f32(${x})`;
    return from === "f32" ? `truncated(${x})` : `bitcast<${dtype}>(${x})`;
  },
  constant: (_operands, { attrs, dtype }) => literal(attrs.value as number, dtype),
};

const REDUCTION_FORMS = {
  max: { start: "(-infinity())", combine: ELEMENT_FORMS.maximum, whole: "maxOver" },
  sum: { start: "0.0", combine: ([a, b]) => `${a} + ${b}`, whole: "sumOver" },
} satisfies Readonly<Record<ReductionOp["name"], { start: string; combine: ElementForm; whole: string }>>;

/** The reduction of no values, code that adds a value to a result, and a function of the whole workgroup's results. */
export function reductionForm(node: Tensor) {
  const { start, combine, whole } = REDUCTION_FORMS[(node.op as ReductionOp).name];
  return { start, whole, combined: (total: string, value: string) => combine([total, value, ""], node) };
}

/**
 * A literal of the type. Infinities and NaN come from the device's table, because WGSL rejects them in
 * constant expressions; so does -0, because SwiftShader loses its sign (see prelude.ts).
 */
function literal(value: number, dtype: DType): string {
  switch (dtype) {
    case "bool":
      return value ? "true" : "false";
    case "u32":
      return `${value >>> 0}u`;
    case "i32":
      return value === -2147483648 ? "i32(-2147483647 - 1)" : `i32(${value | 0})`;
    case "f32": {
      if (Number.isNaN(value)) return "notANumber()";
      if (Math.abs(Math.fround(value)) === Infinity) return value > 0 ? "infinity()" : "(-infinity())";
      if (Object.is(value, -0)) return "negativeZero()";
      const [bits = 0] = new Uint32Array(new Float32Array([value]).buffer);
      return `bitcast<f32>(0x${bits.toString(16)}u)`;
    }
  }
}
