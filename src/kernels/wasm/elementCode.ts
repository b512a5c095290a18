/** Code writer for element-wise operations: a function body plus a few idioms. */
import type { FunctionBody } from "./encoder.ts";
import type { Simd } from "./instructions.ts";

export class ElementCode {
  readonly body: FunctionBody;

  constructor(body: FunctionBody) {
    this.body = body;
  }

  /** Pushes the operands and applies the instruction. */
  apply(name: Simd, ...locals: readonly number[]): this {
    for (const local of locals) this.body.get(local);
    this.body.simd(name);
    return this;
  }

  /** Moves the top of the stack to a new local and returns it; the argument is the code that pushed it. */
  keep(_written?: FunctionBody): number {
    const local = this.body.local("v128");
    this.body.set(local);
    return local;
  }

  /**
   * A polynomial by Estrin's scheme, coefficients from the highest power down; leaves the value on the stack. It
   * takes one or two operations more than Horner's rule, but has half the latency, which limits these chains.
   */
  polynomial(x: number, coefficients: readonly number[]): this {
    const { body } = this;
    // Terms of rising powers of `power`: first the coefficients, then sums in locals.
    let terms: (() => void)[] = [...coefficients].reverse().map((c) => () => void body.f32x4(c));
    let power = x;
    while (terms.length > 1) {
      const pairs: (() => void)[] = [];
      for (let i = 0; i < terms.length; i += 2) {
        const [low, high] = terms.slice(i, i + 2) as [() => void, (() => void)?];
        if (high) {
          high();
          body.get(power).simd("f32x4.mul");
          low();
          body.simd("f32x4.add");
        } else low();
        const sum = this.keep();
        pairs.push(() => void body.get(sum));
      }
      terms = pairs;
      if (terms.length > 1) power = this.apply("f32x4.mul", power, power).keep();
    }
    terms[0]?.();
    return this;
  }
}
