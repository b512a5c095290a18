/** Element-wise operations and reductions in WebAssembly: one entry for each. */
import type { ElementwiseName, Operands, ReductionOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import type { ElementCode } from "./elementCode.ts";
import type { Simd } from "./instructions.ts";
import { cosCode, expCode, logCode, sinCode, tanhCode } from "./transcendental.ts";

/** Leaves the result on the stack; `operands` are locals of type v128. */
type ElementForm = (code: ElementCode, operands: Operands<number>, node: Tensor) => void;

/** One instruction on the operands, by their type. */
const instruction =
  (f32: Simd, i32 = f32, u32 = i32): ElementForm =>
  (code, operands, node) => {
    const dtype = node.inputs[0]?.dtype;
    code.apply(dtype === "f32" ? f32 : dtype === "u32" ? u32 : i32, ...operands);
  };

const shift =
  (i32: Simd, u32 = i32): ElementForm =>
  ({ body }, [x], node) => {
    body
      .get(x)
      .i32(node.attrs.by as number)
      .simd(node.dtype === "u32" ? u32 : i32);
  };

/** The first operand, unchanged. */
const passed: ElementForm = ({ body }, [x]) => body.get(x);

export const ELEMENT_FORMS: Readonly<Record<ElementwiseName, ElementForm>> = {
  abs: instruction("f32x4.abs"),
  add: instruction("f32x4.add", "i32x4.add"),
  div: instruction("f32x4.div"),
  floor: instruction("f32x4.floor"),
  maximum: instruction("f32x4.pmax", "i32x4.max_s", "i32x4.max_u"),
  minimum: instruction("f32x4.pmin", "i32x4.min_s", "i32x4.min_u"),
  mul: instruction("f32x4.mul", "i32x4.mul"),
  neg: instruction("f32x4.neg"),
  sqrt: instruction("f32x4.sqrt"),
  sub: instruction("f32x4.sub", "i32x4.sub"),

  bitAnd: instruction("v128.and"),
  bitOr: instruction("v128.or"),
  bitXor: instruction("v128.xor"),
  shiftLeft: shift("i32x4.shl"),
  shiftRight: shift("i32x4.shr_s", "i32x4.shr_u"),

  and: instruction("v128.and"),
  equal: instruction("f32x4.eq", "i32x4.eq"),
  greater: instruction("f32x4.gt", "i32x4.gt_s"),
  greaterEqual: instruction("f32x4.ge", "i32x4.ge_s"),
  less: instruction("f32x4.lt", "i32x4.lt_s"),
  lessEqual: instruction("f32x4.le", "i32x4.le_s"),
  not: instruction("v128.not"),
  or: instruction("v128.or"),
  select: (code, [condition, a, b]) => code.apply("v128.bitselect", a, b, condition),

  cos: (code, [x]) => cosCode(code, x),
  elu: passed,
  exp: (code, [x]) => expCode(code, x),
  gate: ({ body }, [y, g]) => body.get(g).get(y).f32x4(0).simd("f32x4.le").simd("v128.andnot"),
  gelu: passed,
  log: (code, [x]) => logCode(code, x),
  relu: ({ body }, [x]) => body.get(x).f32x4(0).simd("f32x4.pmax"),
  sin: (code, [x]) => sinCode(code, x),
  standardize: instruction("f32x4.mul"),
  tanh: (code, [x]) => tanhCode(code, x),

  broadcast: passed,
  cast: ({ body }, [x], { dtype, inputs }) => {
    const from = inputs[0]?.dtype;
    body.get(x);
    if (from === "bool") {
      if (dtype === "f32") body.f32x4(1);
      else body.i32x4(1);
      body.simd("v128.and");
    } else if (dtype === "f32") body.simd(from === "u32" ? "f32x4.convert_i32x4_u" : "f32x4.convert_i32x4_s");
    else if (from === "f32") body.simd("i32x4.trunc_sat_f32x4_s");
  },
  constant: ({ body }, _operands, { attrs, dtype }) => {
    const value = attrs.value as number;
    if (dtype === "f32") body.f32x4(value);
    else body.i32x4(dtype === "bool" && value ? -1 : value);
  },
};

const REDUCTION_FORMS = {
  max: { start: -Infinity, combine: "f32x4.pmax" },
  sum: { start: 0, combine: "f32x4.add" },
} as const satisfies Readonly<Record<ReductionOp["name"], object>>;

/** The reduction of no values, and the instruction that adds a vector of values to a vector of results. */
export const reductionForm = ({ op }: Tensor) => REDUCTION_FORMS[(op as ReductionOp).name];
