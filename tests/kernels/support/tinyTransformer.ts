/** A transformer of one layer, trained whole and decoded with a cache: the operations that language models are made of. */
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import { numbers } from "./numbers.ts";

const [VOCABULARY, WIDTH, HEADS, HIDDEN, POSITIONS] = [11, 8, 2, 12, 6];
const HEAD = WIDTH / HEADS;
const SIZES = { batch: 3, length: 5 };
const [batch, length] = [k.sym("batch"), k.sym("length")];
const heads = k.mulDims(batch, HEADS);

const SHAPES = {
  tokens: [VOCABULARY, WIDTH],
  positions: [POSITIONS, WIDTH],
  norm: [WIDTH],
  query: [WIDTH, WIDTH],
  key: [WIDTH, WIDTH],
  value: [WIDTH, WIDTH],
  output: [WIDTH, WIDTH],
  up: [WIDTH, HIDDEN],
  down: [HIDDEN, WIDTH],
} as const;
type Name = keyof typeof SHAPES;
const NAMES = Object.keys(SHAPES) as Name[];

const weight = (name: Name): k.State => k.state(name, SHAPES[name]);
type Weights = Readonly<Record<Name, k.Tensor>>;
const readWeights = (): Weights =>
  Object.fromEntries(NAMES.map((name) => [name, weight(name).read()])) as Record<Name, k.Tensor>;

const normed = (x: k.Tensor, scale: k.Tensor): k.Tensor =>
  k.mul(k.div(x, k.sqrt(k.add(k.mean(k.square(x), -1, true), 1e-6))), scale);

/** [rows of each sequence, WIDTH] as [batch * HEADS, rows, HEAD]. */
const split = (x: k.Tensor, rows: k.Dim): k.Tensor =>
  k.reshape(k.permute(k.reshape(x, [batch, rows, HEADS, HEAD]), [0, 2, 1, 3]), [heads, rows, HEAD]);
const joined = (x: k.Tensor, rows: k.Dim): k.Tensor =>
  k.reshape(k.permute(k.reshape(x, [batch, HEADS, rows, HEAD]), [0, 2, 1, 3]), [
    k.mulDims(batch, rows),
    WIDTH,
  ]);

const attended = (q: k.Tensor, keys: k.Tensor, values: k.Tensor, visible: k.Tensor): k.Tensor => {
  const scores = k.mul(k.batchMatmul(q, keys, { transposeB: true }), HEAD ** -0.5);
  return k.batchMatmul(k.softmax(k.select(visible, scores, -1e9)), values);
};

const logitsOf = (x: k.Tensor, w: Weights): k.Tensor => {
  const hidden = k.matmul(k.gelu(k.matmul(normed(x, w.norm), w.up)), w.down);
  return k.matmul(k.add(x, hidden), w.tokens, { transposeB: true });
};

/** A step of AdamW down a clipped surrogate: ids, advantages and old log-probabilities in, weights in place. */
export const learningStep = (): k.Program =>
  k.trace("transformer learns", () => {
    const w = readWeights();
    const grid = [batch, length];
    const read = (name: string, dtype: k.DType = "f32") => k.state(name, grid, { dtype }).read();
    const [ids, labels] = [read("ids", "i32"), read("labels", "i32")];
    const rows = k.mulDims(batch, length);
    const embedded = k.reshape(k.takeRows(w.tokens, k.reshape(ids, [rows])), [batch, length, WIDTH]);
    const x = k.reshape(k.add(embedded, k.takeRows(w.positions, k.iota(length))), [rows, WIDTH]);
    const inner = normed(x, w.norm);
    const [q, keys, values] = (["query", "key", "value"] as const).map((name) =>
      split(k.matmul(inner, w[name]), length),
    ) as [k.Tensor, k.Tensor, k.Tensor];
    const visible = k.lessEqual(k.iota(length), k.reshape(k.iota(length), [length, 1]));
    const y = k.add(x, k.matmul(joined(attended(q, keys, values, visible), length), w.output));
    const logProbs = k.reshape(k.logSoftmax(logitsOf(y, w)), [batch, length, VOCABULARY]);
    const chosen = k.equal(k.iota(VOCABULARY), k.reshape(labels, [batch, length, 1]));
    const logProb = k.sum(k.select(chosen, logProbs, 0), -1);
    const [mask, advantage] = [k.cast(read("mask", "bool"), "f32"), read("advantage")];
    const ratio = k.exp(k.sub(logProb, read("old")));
    const surrogate = k.minimum(k.mul(ratio, advantage), k.mul(k.clip(ratio, 0.8, 1.2), advantage));
    const loss = k.neg(k.div(k.sumAll(k.mul(surrogate, mask)), k.maximum(k.sumAll(mask), 1)));
    const gradients = k.clipByGlobalNorm(
      k.grad(
        loss,
        NAMES.map((name) => w[name]),
      ),
      1,
    );
    const updates = NAMES.map((name, i) => ({
      parameter: weight(name),
      value: w[name],
      gradient: gradients[i] as k.Tensor,
    }));
    k.adam("optimizer", updates, { lr: 0.01, weightDecay: 0.01 });
    k.state("loss").write(loss);
    k.state("log_probs", grid).write(logProb);
  });

/** The next token's logits, with keys and values of a position added to a cache [POSITIONS, batch, WIDTH]. */
export const decodingStep = (): k.Program =>
  k.trace("transformer decodes", () => {
    const w = readWeights();
    const at = k.state("at", [1], { dtype: "i32" }).read();
    const ids = k.state("last", [batch], { dtype: "i32" }).read();
    const x = k.add(k.takeRows(w.tokens, ids), k.takeRows(w.positions, at));
    const inner = normed(x, w.norm);
    const cached = (name: "key" | "value") => {
      const cache = k.state(`cache.${name}`, [POSITIONS, batch, WIDTH]);
      cache.writeRows(at, k.reshape(k.matmul(inner, w[name]), [1, batch, WIDTH]));
      const rows = k.permute(k.reshape(cache.read(), [POSITIONS, heads, HEAD]), [1, 0, 2]);
      return rows;
    };
    const q = split(k.matmul(inner, w.query), 1);
    const visible = k.lessEqual(k.iota(POSITIONS), at);
    const y = k.add(x, k.matmul(joined(attended(q, cached("key"), cached("value"), visible), 1), w.output));
    k.state("logits", [batch, VOCABULARY]).write(logitsOf(y, w));
  });

/** Losses, log-probabilities and logits of some steps of learning and decoding, and the weights at the end. */
export async function runTransformer(device: Device): Promise<Record<string, readonly number[]>> {
  const next = numbers(11);
  const fill = (count: number, scale: number) =>
    Array.from({ length: count }, () => Math.fround(scale * (2 * next() - 1)));
  const ids = (count: number) => Array.from({ length: count }, () => Math.floor(next() * VOCABULARY));
  const [learns, decodes] = [learningStep(), decodingStep()];
  const arena = device.arena([...learns.states.values(), ...decodes.states.values()], SIZES);
  for (const name of NAMES) {
    const [rows, columns = 1] = SHAPES[name];
    arena.write(name, name === "norm" ? new Array<number>(rows).fill(1) : fill(rows * columns, 0.5));
  }
  for (const power of ["beta1_power", "beta2_power"]) arena.write(`optimizer.${power}`, [1]);
  const tokens = SIZES.batch * SIZES.length;
  const [learning, decoding] = [
    (await device.compile(learns)).bind(arena),
    (await device.compile(decodes)).bind(arena),
  ];
  const found: Record<string, readonly number[]> = {};
  const keep = async (name: string, what: string) => {
    found[what] = [...(await arena.read(name))];
  };
  for (let step = 0; step < 4; step++) {
    arena.write("ids", ids(tokens));
    arena.write("labels", ids(tokens));
    arena.write("advantage", fill(tokens, 1));
    arena.write(
      "old",
      fill(tokens, 0.2).map((x) => x - 2.4),
    );
    arena.write(
      "mask",
      Array.from({ length: tokens }, (_, i) => Number(i % SIZES.length < 4)),
    );
    // Nobody waits for the run: what reads its results stands in the queue behind it.
    void learning.run();
    await keep("loss", `loss ${step}`);
    await keep("log_probs", `log-probabilities ${step}`);
  }
  for (let at = 0; at < 4; at++) {
    arena.write("at", [at]);
    arena.write("last", ids(SIZES.batch));
    void decoding.run();
    await keep("logits", `logits ${at}`);
  }
  for (const name of [...NAMES, "cache.key", "cache.value"]) await keep(name, name);
  decoding.release();
  learning.release();
  arena.release();
  return found;
}
