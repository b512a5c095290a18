/** Numbers as bit-exact WGSL. */
import type { DType } from "../tensor.ts";

/**
 * A literal of the type. Infinities and NaN come from the device's table, because WGSL rejects them in
 * constant expressions; so does -0, because SwiftShader loses its sign (see prelude.ts).
 */
export function literal(value: number, dtype: DType): string {
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
