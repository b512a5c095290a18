/** What an element-wise operation writes its code with: a function body plus a few idioms. */
import type { FunctionBody, Simd } from "./encoder.ts";

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

  /** Keeps the top of the stack in a new local and returns it; the argument is what wrote it there. */
  keep(_written?: FunctionBody): number {
    const local = this.body.local("v128");
    this.body.set(local);
    return local;
  }

  /** Horner's rule with coefficients from the highest power down; leaves the value on the stack. */
  polynomial(x: number, coefficients: readonly number[]): this {
    coefficients.forEach((coefficient, i) => {
      if (i > 0) this.body.get(x).simd("f32x4.mul");
      this.body.f32x4(coefficient);
      if (i > 0) this.body.simd("f32x4.add");
    });
    return this;
  }
}
