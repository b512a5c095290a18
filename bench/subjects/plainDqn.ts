/**
 * The same learning step as loops over one Float32Array: careful plain JavaScript without a library. All
 * arrays are allocated once; inner loops run along rows of memory, with no calls inside.
 */
import type { AgentState } from "../../src/agents/members.ts";
import { type Batch, type Learner, SETTINGS, SIZES } from "./dqnProblem.ts";

const { inputs: I, hidden: H, actions: A, batch: B } = SIZES;
const WIDTHS = [I, H, H, A] as const;
const LAYERS = 3;

/** Offsets of all parts in the array. */
function layout() {
  let end = 0;
  const take = (n: number) => {
    end += n;
    return end - n;
  };
  const layer = (i: number) => [WIDTHS[i] as number, WIDTHS[i + 1] as number] as const;
  const each = <T>(make: (inputs: number, outputs: number) => T): T[] =>
    Array.from({ length: LAYERS }, (_, i) => make(...layer(i)));
  const parameters = () => {
    const start = end;
    return { start, layers: each((n, m) => ({ w: take(n * m), b: take(m) })) };
  };
  const online = parameters();
  const count = end;
  const target = parameters();
  const gradient = parameters();
  const first = take(count);
  const second = take(count);
  const activations = each((_, m) => take(B * m));
  const deltas = each((_, m) => take(B * m));
  return {
    online,
    target,
    gradient,
    first,
    second,
    activations,
    deltas,
    count,
    obs: take(B * I),
    next_obs: take(B * I),
    y: take(B),
    length: end,
  };
}

const at = layout();

/**
 * Matrix product out [rows, columns] = left · right. left [rows, depth] starts at `l` with strides `lRow` and
 * `lDepth`; right [depth, columns] starts at `r` with strides `rDepth` and `rColumn`. Tiles of 4 x 2 sums
 * stay in local variables, which is several times faster than adding into the array. Rows must be a multiple
 * of 4 and columns of 2.
 */
function product(
  f: Float32Array,
  [rows, columns, depth]: readonly [number, number, number],
  [l, lRow, lDepth]: readonly [number, number, number],
  [r, rDepth, rColumn]: readonly [number, number, number],
  out: number,
): void {
  for (let i = 0; i < rows; i += 4) {
    for (let j = 0; j < columns; j += 2) {
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      let a = l + i * lRow;
      let b = r + j * rColumn;
      for (let k = 0; k < depth; k++) {
        const b0 = f[b] as number;
        const b1 = f[b + rColumn] as number;
        const a0 = f[a] as number;
        const a1 = f[a + lRow] as number;
        const a2 = f[a + 2 * lRow] as number;
        const a3 = f[a + 3 * lRow] as number;
        s00 += a0 * b0;
        s01 += a0 * b1;
        s10 += a1 * b0;
        s11 += a1 * b1;
        s20 += a2 * b0;
        s21 += a2 * b1;
        s30 += a3 * b0;
        s31 += a3 * b1;
        a += lDepth;
        b += rDepth;
      }
      const o = out + i * columns + j;
      f[o] = s00;
      f[o + 1] = s01;
      f[o + columns] = s10;
      f[o + columns + 1] = s11;
      f[o + 2 * columns] = s20;
      f[o + 2 * columns + 1] = s21;
      f[o + 3 * columns] = s30;
      f[o + 3 * columns + 1] = s31;
    }
  }
}

const width = (i: number): number => WIDTHS[i] ?? 0;

/** Computes the activations of every layer from observations at `x`. @returns the offset of the outputs. */
function forward(f: Float32Array, x: number, { layers }: typeof at.online): number {
  let input = x;
  layers.forEach(({ w, b }, i) => {
    const out = at.activations[i] as number;
    const [n, m] = [width(i), width(i + 1)];
    product(f, [B, m, n], [input, n, 1], [w, m, 1], out);
    const floor = i < LAYERS - 1 ? 0 : -Infinity;
    for (let row = out; row < out + B * m; row += m) {
      for (let j = 0; j < m; j++) {
        const z = (f[row + j] as number) + (f[b + j] as number);
        f[row + j] = z > floor ? z : floor;
      }
    }
    input = out;
  });
  return input;
}

/** Computes the gradients of layer `i` from its delta, and the delta of the layer below. */
function backward(f: Float32Array, i: number): void {
  const [n, m] = [width(i), width(i + 1)];
  const gradient = at.gradient.layers[i] as { w: number; b: number };
  const x = i === 0 ? at.obs : (at.activations[i - 1] as number);
  const delta = at.deltas[i] as number;
  product(f, [n, m, B], [x, 1, n], [delta, m, 1], gradient.w);
  for (let j = 0; j < m; j++) {
    let sum = 0;
    for (let row = 0; row < B; row++) sum += f[delta + row * m + j] as number;
    f[gradient.b + j] = sum;
  }
  if (i === 0) return;
  const below = at.deltas[i - 1] as number;
  product(f, [B, n, m], [delta, m, 1], [(at.online.layers[i] as { w: number }).w, 1, m], below);
  for (let k = 0; k < B * n; k++) if (f[x + k] === 0) f[below + k] = 0;
}

export function plainDqn(agent: AgentState, batch: Batch): Learner {
  const f = new Float32Array(at.length);
  const tensors = Object.values(agent.networks.actor?.tensors ?? {});
  let place = at.online.start;
  for (const values of tensors) {
    f.set(values, place);
    place += values.length;
  }
  f.copyWithin(at.target.start, at.online.start, at.online.start + at.count);
  f.set(batch.obs, at.obs);
  f.set(batch.next_obs, at.next_obs);
  const { action, reward, done } = batch;
  const { lr, gamma, tau } = SETTINGS;
  let [power1, power2, loss] = [1, 1, 0];

  const step = () => {
    const next = forward(f, at.next_obs, at.target);
    for (let r = 0; r < B; r++) {
      let best = f[next + r * A] as number;
      for (let j = 1; j < A; j++) best = Math.max(best, f[next + r * A + j] as number);
      f[at.y + r] = (reward[r] as number) + gamma * (1 - (done[r] as number)) * best;
    }
    const q = forward(f, at.obs, at.online);
    const delta = at.deltas[LAYERS - 1] as number;
    f.fill(0, delta, delta + B * A);
    loss = 0;
    for (let r = 0; r < B; r++) {
      const chosen = r * A + (action[r] as number);
      const error = (f[q + chosen] as number) - (f[at.y + r] as number);
      f[delta + chosen] = (2 * error) / B;
      loss += (error * error) / B;
    }
    for (let i = LAYERS - 1; i >= 0; i--) backward(f, i);
    power1 *= 0.9;
    power2 *= 0.999;
    const scale = lr / (1 - power1);
    const correction = 1 / Math.sqrt(1 - power2);
    const { count, first, second } = at;
    const [p, t, g] = [at.online.start, at.target.start, at.gradient.start];
    for (let i = 0; i < count; i++) {
      const gradient = f[g + i] as number;
      const m = 0.9 * (f[first + i] as number) + 0.1 * gradient;
      const v = 0.999 * (f[second + i] as number) + 0.001 * gradient * gradient;
      f[first + i] = m;
      f[second + i] = v;
      const weight = (f[p + i] as number) - (m * scale) / (Math.sqrt(v) * correction + 1e-8);
      f[p + i] = weight;
      f[t + i] = (f[t + i] as number) + tau * (weight - (f[t + i] as number));
    }
  };
  return {
    step,
    loss: () => {
      step();
      return loss;
    },
  };
}
