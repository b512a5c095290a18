/** Optimisers, clipping and target averaging as parts of a program. */
import { add, div, maximum, minimum, mul, sqrt, square, sub } from "../ops/arithmetic.ts";
import type { Operand } from "../ops/operand.ts";
import { sumAll } from "../ops/reduction.ts";
import { type State, state } from "../state.ts";
import type { Tensor } from "../tensor.ts";

/** A trainable buffer, its value as read, and the gradient of the loss. */
export interface Update {
  readonly parameter: State;
  readonly value: Tensor;
  readonly gradient: Tensor;
}

/** Name of the buffer that holds a moment of a parameter. */
export const momentName = (optimizer: string, moment: "first" | "second", parameter: string): string =>
  `${optimizer}.${moment}.${parameter}`;

const moment = (optimizer: string, kind: "first" | "second", { parameter }: Update): State =>
  state(momentName(optimizer, kind, parameter.decl.name), parameter.decl.shape);

export interface AdamOptions {
  readonly lr: Operand;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  /** AdamW: decay applied to the weights themselves, not through the gradient (Loshchilov and Hutter 2019). */
  readonly weightDecay?: Operand;
}

/**
 * One step of Adam (Kingma and Ba 2015, algorithm 1). Keeps the moments and the powers of the betas in state
 * under `name`. The caller initialises it: moments to 0, `<name>.beta1_power` and `<name>.beta2_power` to 1.
 * @returns the new value of each parameter.
 */
export function adam(name: string, updates: readonly Update[], options: AdamOptions): Tensor[] {
  const { lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0 } = options;
  const power1 = state(`${name}.beta1_power`);
  const power2 = state(`${name}.beta2_power`);
  const p1 = mul(power1.read(), beta1);
  const p2 = mul(power2.read(), beta2);
  power1.write(p1);
  power2.write(p2);
  // theta -= lr * (m / (1 - p1)) / (sqrt(v / (1 - p2)) + eps), with the scalars computed once.
  const scale = div(lr, sub(1, p1));
  const correction = div(1, sqrt(sub(1, p2)));
  return updates.map((update) => {
    const { parameter, value, gradient } = update;
    const first = moment(name, "first", update);
    const second = moment(name, "second", update);
    const m = add(mul(first.read(), beta1), mul(gradient, 1 - beta1));
    const v = add(mul(second.read(), beta2), mul(square(gradient), 1 - beta2));
    const step = div(mul(m, scale), add(mul(sqrt(v), correction), epsilon));
    const decayed = weightDecay === 0 ? value : mul(value, sub(1, mul(lr, weightDecay)));
    const stepped = sub(decayed, step);
    parameter.write(stepped);
    first.write(m);
    second.write(v);
    return stepped;
  });
}

/**
 * The last step of {@link adam} with its default betas and epsilon, but for a factor that all parameters have in common; 0
 * before the first. Read it before the next step is taken.
 */
export function lastAdamStep(name: string, updates: readonly Update[]): Tensor[] {
  // Before the first step the power is 1, and all moments are 0.
  const correction = div(1, sqrt(maximum(sub(1, state(`${name}.beta2_power`).read()), 1e-4)));
  return updates.map((update) => {
    const [m, v] = [moment(name, "first", update).read(), moment(name, "second", update).read()];
    return div(m, add(mul(sqrt(v), correction), 1e-8));
  });
}

export interface SgdOptions {
  readonly lr: Operand;
  readonly momentum?: number;
}

/** Stochastic gradient descent, with PyTorch's form of momentum: b = mu b + g, theta -= lr b. */
export function sgd(name: string, updates: readonly Update[], { lr, momentum = 0 }: SgdOptions): void {
  for (const update of updates) {
    const { parameter, value, gradient } = update;
    if (momentum === 0) {
      parameter.write(sub(value, mul(gradient, lr)));
      continue;
    }
    const velocity = moment(name, "first", update);
    const b = add(mul(velocity.read(), momentum), gradient);
    parameter.write(sub(value, mul(b, lr)));
    velocity.write(b);
  }
}

export interface RmsPropOptions {
  readonly lr: Operand;
  readonly alpha?: number;
  readonly epsilon?: number;
}

/** RMSprop (Hinton 2012, lecture 6e), without momentum or centring. */
export function rmsProp(
  name: string,
  updates: readonly Update[],
  { lr, alpha = 0.99, epsilon = 1e-8 }: RmsPropOptions,
): void {
  for (const update of updates) {
    const { parameter, value, gradient } = update;
    const second = moment(name, "second", update);
    const v = add(mul(second.read(), alpha), mul(square(gradient), 1 - alpha));
    parameter.write(sub(value, div(mul(gradient, lr), add(sqrt(v), epsilon))));
    second.write(v);
  }
}

/** L2 norm of all gradients together. */
export const globalNorm = (gradients: readonly Tensor[]): Tensor =>
  sqrt(gradients.map((g) => sumAll(square(g))).reduce((a, b) => add(a, b)));

/**
 * Gradients scaled so that their global norm is at most `limit` (Pascanu et al. 2013).
 * @param norm Their global norm, if the caller already has it.
 */
export function clipByGlobalNorm(
  gradients: readonly Tensor[],
  limit: Operand,
  norm: Tensor = globalNorm(gradients),
): Tensor[] {
  const scale = minimum(div(limit, add(norm, 1e-6)), 1);
  return gradients.map((g) => mul(g, scale));
}

/** Target parameters moved toward the online ones: target += tau * (online - target). */
export function polyak(pairs: readonly { target: State; online: Tensor }[], tau: Operand): void {
  for (const { target, online } of pairs) {
    const old = target.read();
    target.write(add(old, mul(sub(online, old), tau)));
  }
}
