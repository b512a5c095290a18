/**
 * Soft actor-critic in 64-bit numbers, restated from the paper's equations on single numbers, with gradients by a
 * tape. Networks have MLPs with one hidden layer and a head with layer normalisation, as agents have by default.
 */
import type { AgentState } from "../../../src/agents/members.ts";

/** A number of the tape, with the numbers that it was computed from and its slopes along them. */
class Num {
  readonly value: number;
  readonly from: readonly (readonly [Num, number])[];
  gradient = 0;

  constructor(value: number, from: readonly (readonly [Num, number])[] = []) {
    this.value = value;
    this.from = from;
  }
}

const num = (value: number): Num => new Num(value);
const add = (a: Num, b: Num): Num =>
  new Num(a.value + b.value, [
    [a, 1],
    [b, 1],
  ]);
const mul = (a: Num, b: Num): Num =>
  new Num(a.value * b.value, [
    [a, b.value],
    [b, a.value],
  ]);
const scaled = (a: Num, k: number, offset = 0): Num => new Num(a.value * k + offset, [[a, k]]);
const sub = (a: Num, b: Num): Num => add(a, scaled(b, -1));
const of = (a: Num, value: number, slope: number): Num => new Num(value, [[a, slope]]);
const exp = (a: Num): Num => of(a, Math.exp(a.value), Math.exp(a.value));
const tanh = (a: Num): Num => of(a, Math.tanh(a.value), 1 - Math.tanh(a.value) ** 2);
const sum = (all: readonly Num[]): Num =>
  new Num(
    all.reduce((s, { value }) => s + value, 0),
    all.map((a) => [a, 1]),
  );
/** log(1 + exp(x)). */
const softplus = (a: Num): Num =>
  of(a, Math.max(a.value, 0) + Math.log1p(Math.exp(-Math.abs(a.value))), 1 / (1 + Math.exp(-a.value)));

/** Adds the gradients of `loss` to all numbers that it depends on. */
function backward(loss: Num): void {
  const order: Num[] = [];
  const seen = new Set<Num>();
  const visit = (node: Num): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const [source] of node.from) visit(source);
    order.push(node);
  };
  visit(loss);
  for (const node of order) node.gradient = 0;
  loss.gradient = 1;
  for (const node of order.reverse())
    for (const [source, slope] of node.from) source.gradient += node.gradient * slope;
}

/**
 * A choice by the sign of a number: a ReLU unit, "<network>.<layer>[unit]@<input>", or which critic has the smaller
 * value of the policy's own action, "least@own" (the first if the number is positive).
 */
export interface Unit {
  readonly place: string;
  readonly row: number;
  readonly input: number;
}

/** Makes such a choice: true for positive numbers, unless a test forces it. */
export type Decide = (unit: Unit) => boolean;

type Weights = Record<string, Num[]>;
const EPSILON = 1e-5;

class PlainNetwork {
  readonly #weights: Weights;
  readonly #name: string;
  readonly #decide: Decide;

  constructor(name: string, values: Readonly<Record<string, readonly number[]>>, decide: Decide) {
    this.#name = name;
    this.#decide = decide;
    this.#weights = Object.fromEntries(Object.entries(values).map(([key, all]) => [key, all.map(num)]));
  }

  gradients(): Record<string, number[]> {
    return Object.fromEntries(
      Object.entries(this.#weights).map(([key, all]) => [key, all.map(({ gradient }) => gradient)]),
    );
  }

  forward(at: string, row: number, obs: readonly number[], action: readonly Num[] = []): Num[] {
    const relu = (layer: string, all: readonly Num[]): Num[] =>
      all.map((x, i) => {
        const place = `${this.#name}.${layer}[${i}]@${at}`;
        const on = this.#decide({ place, row, input: x.value });
        return of(x, on ? x.value : 0, on ? 1 : 0);
      });
    const hidden = relu("encoder.linear_1", this.#linear("encoder.linear_1", obs.map(num)));
    const latent = relu("encoder.output", this.#linear("encoder.output", hidden));
    const wide = this.#linear("head_net.linear_1", [...latent, ...action]);
    const head = relu("head_net.linear_1", this.#normed("head_net.layer_norm_1", wide));
    return this.#linear("head_net.output", head);
  }

  #of(name: string): Num[] {
    return this.#weights[name] ?? [];
  }

  #linear(name: string, inputs: readonly Num[]): Num[] {
    const [weight, bias] = [this.#of(`${name}.weight`), this.#of(`${name}.bias`)];
    return bias.map((own, j) =>
      sum([own, ...inputs.map((x, i) => mul(x, weight[i * bias.length + j] as Num))]),
    );
  }

  #normed(name: string, x: readonly Num[]): Num[] {
    const mean = scaled(sum(x), 1 / x.length);
    const off = x.map((one) => sub(one, mean));
    const variance = scaled(sum(off.map((one) => mul(one, one))), 1 / x.length);
    const root = Math.sqrt(variance.value + EPSILON);
    const scale = of(variance, 1 / root, -0.5 / root ** 3);
    const [weight, bias] = [this.#of(`${name}.weight`), this.#of(`${name}.bias`)];
    return off.map((one, i) => add(mul(mul(one, scale), weight[i] as Num), bias[i] as Num));
  }
}

/** A batch as rows; `noise` has the draws of the actions at obs, then at next_obs, of each row. */
export interface PlainBatch {
  readonly obs: readonly (readonly number[])[];
  readonly action: readonly (readonly number[])[];
  readonly reward: readonly number[];
  readonly next_obs: readonly (readonly number[])[];
  readonly done: readonly number[];
  readonly noise: readonly (readonly number[])[];
}

type Values = Record<string, number[]>;
interface Moments {
  readonly first: Values;
  readonly second: Values;
}

const ONLINE = ["actor", "critic_1", "critic_2"] as const;
const zerosLike = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.map(() => 0)]));

export const bySign: Decide = ({ input }) => input > 0;

export class PlainSac {
  readonly networks: Record<string, Values>;
  readonly #moments: Record<string, Moments>;
  readonly #rates: Readonly<Record<string, number>>;
  readonly #tau: number;
  readonly #gamma: number;
  #steps = 0;

  constructor({ networks, parameters, hyperparameters }: AgentState) {
    const own = Object.entries(networks).map(([name, { tensors }]) => [
      name,
      Object.fromEntries(Object.entries(tensors).map(([key, values]) => [key, [...values]])),
    ]);
    this.networks = {
      ...Object.fromEntries(own),
      alpha: { log: [...(parameters?.log_alpha?.values ?? [])] },
    };
    this.#moments = Object.fromEntries(
      [...ONLINE, "alpha"].map((name) => {
        const values = this.networks[name] ?? {};
        return [name, { first: zerosLike(values), second: zerosLike(values) }];
      }),
    );
    const number = (name: string) => Number(hyperparameters[name]);
    const lr_critic = number("lr_critic");
    this.#rates = {
      actor: number("lr_actor"),
      critic_1: lr_critic,
      critic_2: lr_critic,
      alpha: number("lr_alpha"),
    };
    this.#tau = number("tau");
    this.#gamma = number("gamma");
  }

  learn(batch: PlainBatch, decide: Decide = bySign): void {
    const made = Object.entries(this.networks).map(([name, values]) => [
      name,
      new PlainNetwork(name, values, decide),
    ]);
    const nets: Readonly<Record<string, PlainNetwork>> = Object.fromEntries(made);
    const log_alpha = num(this.networks.alpha?.log?.[0] ?? 0);
    const alpha = Math.exp(log_alpha.value);
    const size = batch.action[0]?.length ?? 0;
    const rows = batch.reward.length;
    const value = (
      name: string,
      at: string,
      row: number,
      obs: readonly number[],
      action: readonly Num[],
    ): Num => (nets[name] as PlainNetwork).forward(at, row, obs, action)[0] as Num;
    const drawn = (at: string, row: number, obs: readonly number[], noise: readonly number[]) => {
      const out = (nets.actor as PlainNetwork).forward(at, row, obs);
      const parts = noise.map((e, i) => {
        const log_std = out[size + i] as Num;
        const within = of(
          log_std,
          Math.min(Math.max(log_std.value, -20), 2),
          Math.abs(log_std.value + 9) < 11 ? 1 : 0,
        );
        const u = add(out[i] as Num, scaled(exp(within), e));
        const density = scaled(within, -1, -0.5 * e * e - 0.5 * Math.log(2 * Math.PI));
        const jacobian = scaled(add(u, softplus(scaled(u, -2))), -2, 2 * Math.LN2);
        return { action: tanh(u), log_prob: sub(density, jacobian) };
      });
      return {
        action: parts.map(({ action }) => action),
        log_prob: sum(parts.map(({ log_prob }) => log_prob)),
      };
    };
    const errors: [Num[], Num[]] = [[], []];
    const gains: Num[] = [];
    const surplus: number[] = [];
    for (let row = 0; row < rows; row++) {
      const [obs, next_obs] = [batch.obs[row] ?? [], batch.next_obs[row] ?? []];
      const noise = batch.noise[row] ?? [];
      const next = drawn("next_obs", row, next_obs, noise.slice(size));
      const fixed = next.action.map((a) => num(a.value));
      const soft = Math.min(
        value("critic_target_1", "next_obs", row, next_obs, fixed).value,
        value("critic_target_2", "next_obs", row, next_obs, fixed).value,
      );
      const going = this.#gamma * (1 - (batch.done[row] ?? 0));
      const target = (batch.reward[row] ?? 0) + going * (soft - alpha * next.log_prob.value);
      const taken = (batch.action[row] ?? []).map(num);
      for (const [i, name] of ["critic_1", "critic_2"].entries()) {
        const error = scaled(value(name, "obs", row, obs, taken), 1, -target);
        errors[i]?.push(mul(error, error));
      }
      const own = drawn("obs", row, obs, noise.slice(0, size));
      const [q_1, q_2] = ["critic_1", "critic_2"].map((name) => value(name, "own", row, obs, own.action)) as [
        Num,
        Num,
      ];
      const q = decide({ place: "least@own", row, input: q_2.value - q_1.value }) ? q_1 : q_2;
      gains.push(sub(scaled(own.log_prob, alpha), q));
      surplus.push(own.log_prob.value - size);
    }
    const mean = (all: readonly Num[]): Num => scaled(sum(all), 1 / rows);
    const gradients: Record<string, Values> = {};
    const losses = { critic_1: mean(errors[0]), critic_2: mean(errors[1]), actor: mean(gains) };
    for (const [name, loss] of Object.entries(losses)) {
      backward(loss);
      gradients[name] = (nets[name] as PlainNetwork).gradients();
    }
    const alphaGradient = (-alpha * surplus.reduce((all, x) => all + x, 0)) / rows;
    gradients.alpha = { log: [alphaGradient] };
    this.#steps++;
    for (const [name, own] of Object.entries(gradients)) this.#adam(name, own);
    for (const i of [1, 2]) this.#follow(`critic_target_${i}`, `critic_${i}`);
  }

  /** Kingma and Ba 2015, algorithm 1. */
  #adam(name: string, gradients: Values): void {
    const { first, second } = this.#moments[name] as Moments;
    const [c1, c2] = [1 - 0.9 ** this.#steps, 1 - 0.999 ** this.#steps];
    for (const [key, values] of Object.entries(this.networks[name] ?? {})) {
      const [m, v] = [first[key] ?? [], second[key] ?? []];
      for (let i = 0; i < values.length; i++) {
        const g = gradients[key]?.[i] ?? 0;
        m[i] = 0.9 * (m[i] ?? 0) + 0.1 * g;
        v[i] = 0.999 * (v[i] ?? 0) + 0.001 * g * g;
        const step = (m[i] ?? 0) / c1 / (Math.sqrt((v[i] ?? 0) / c2) + 1e-8);
        values[i] = (values[i] ?? 0) - (this.#rates[name] ?? 0) * step;
      }
    }
  }

  #follow(target: string, online: string): void {
    for (const [key, values] of Object.entries(this.networks[target] ?? {}))
      for (let i = 0; i < values.length; i++)
        values[i] = this.#tau * (this.networks[online]?.[key]?.[i] ?? 0) + (1 - this.#tau) * (values[i] ?? 0);
  }
}
