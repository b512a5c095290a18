/** Llama, Qwen2 and GPT-2 as sums and products of f64 numbers, one sequence at a time, with no part of the library's. */

/** A config as `config.json` has it, of transformers 4. */
export type PlainConfig = Readonly<Record<string, unknown>>;

/** A weight by the name of its file. */
export interface PlainTensor {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export type PlainWeights = ReadonlyMap<string, PlainTensor>;

/** A low-rank adapter by the names of PEFT's files, and alpha / rank. */
export interface PlainAdapter {
  readonly tensors: PlainWeights;
  readonly scale: number;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};

const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, i) => x + (b[i] ?? 0));

const ACTIVATIONS: Readonly<Record<string, (x: number) => number>> = {
  silu: (x) => x / (1 + Math.exp(-x)),
  gelu_new: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

class PlainModel {
  readonly #config: PlainConfig;
  readonly #weights: PlainWeights;
  readonly #adapter: PlainAdapter | null;

  constructor(config: PlainConfig, weights: PlainWeights, adapter: PlainAdapter | null) {
    this.#config = config;
    this.#weights = weights;
    this.#adapter = adapter;
  }

  #number(name: string): number {
    return this.#config[name] as number;
  }

  #rows(name: string): Float64Array[] {
    const { shape, data } = this.#tensor(name);
    const [rows = 0, width = 0] = shape;
    return Array.from({ length: rows }, (_, i) => data.subarray(i * width, (i + 1) * width));
  }

  #tensor(name: string): PlainTensor {
    const found = this.#weights.get(name);
    if (!found) throw new Error(`no weight ${name}`);
    return found;
  }

  /** y = W x + b + scale B A x; a Conv1D's W is transposed. */
  #linear(x: readonly number[], module: string): number[] {
    const { shape, data } = this.#tensor(`${module}.weight`);
    const conv = this.#config.model_type === "gpt2";
    const [first = 0, second = 0] = shape;
    const y = conv
      ? Array.from({ length: second }, (_, o) =>
          x.reduce((sum, xi, i) => sum + xi * (data[i * second + o] ?? 0), 0),
        )
      : this.#rows(`${module}.weight`).map((row) => dot(row, x));
    if (conv && first !== x.length) throw new Error(`${module}: ${x.length} inputs`);
    const bias = this.#weights.get(`${module}.bias`)?.data;
    const low = this.#lora(x, module);
    return y.map((value, i) => value + (bias?.[i] ?? 0) + (low?.[i] ?? 0));
  }

  #lora(x: readonly number[], module: string): number[] | null {
    const matrix = (letter: string) =>
      this.#adapter?.tensors.get(`base_model.model.${module}.lora_${letter}.weight`);
    const [a, b] = [matrix("A"), matrix("B")];
    if (!a || !b || !this.#adapter) return null;
    const { scale } = this.#adapter;
    const product = ({ shape: [rows = 0, width = 0], data }: PlainTensor, v: readonly number[]) =>
      Array.from({ length: rows }, (_, i) => dot(data.subarray(i * width, (i + 1) * width), v));
    return product(b, product(a, x)).map((value) => scale * value);
  }

  #rmsNorm(x: readonly number[], name: string): number[] {
    const scale = 1 / Math.sqrt(dot(x, x) / x.length + this.#number("rms_norm_eps"));
    const { data } = this.#tensor(`${name}.weight`);
    return x.map((value, i) => value * scale * (data[i] ?? 0));
  }

  #layerNorm(x: readonly number[], name: string): number[] {
    const mean = x.reduce((a, b) => a + b, 0) / x.length;
    const centred = x.map((value) => value - mean);
    const scale = 1 / Math.sqrt(dot(centred, centred) / x.length + 1e-5);
    const [weight, bias] = [this.#tensor(`${name}.weight`).data, this.#tensor(`${name}.bias`).data];
    return centred.map((value, i) => value * scale * (weight[i] ?? 0) + (bias[i] ?? 0));
  }

  /** A head turned by its position: element i is paired with i + D / 2. */
  #turned(head: readonly number[], position: number): number[] {
    const half = head.length / 2;
    const theta = (this.#config.rope_theta as number | undefined) ?? 10000;
    return head.map((value, i) => {
      const angle = position / theta ** ((i % half) / half);
      const other = i < half ? -(head[i + half] ?? 0) : (head[i - half] ?? 0);
      return value * Math.cos(angle) + other * Math.sin(angle);
    });
  }

  /** Causal attention of one query over the keys and values so far. */
  #attend(query: readonly number[], keys: readonly number[][], values: readonly number[][]): number[] {
    const scores = keys.map((key) => dot(query, key) / Math.sqrt(query.length));
    const most = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - most));
    const total = shares.reduce((a, b) => a + b, 0);
    return query.map(
      (_, i) =>
        dot(
          shares,
          values.map((value) => value[i] ?? 0),
        ) / total,
    );
  }

  /** Attention of all positions: `project` gives one's queries, keys and values, head by head. */
  #mixed(
    xs: readonly (readonly number[])[],
    project: (x: readonly number[], position: number) => Record<"queries" | "keys" | "values", number[][]>,
  ): number[][] {
    const heads = xs.map(project);
    return heads.map(({ queries, keys }, t) =>
      queries.flatMap((query, h) => {
        const shared = Math.floor((h * keys.length) / queries.length);
        const past = heads.slice(0, t + 1);
        return this.#attend(
          query,
          past.map((other) => other.keys[shared] ?? []),
          past.map((other) => other.values[shared] ?? []),
        );
      }),
    );
  }

  #llama(ids: readonly number[]): number[][] {
    const width = this.#number("hidden_size");
    const heads = this.#number("num_attention_heads");
    const size = (this.#config.head_dim as number | undefined) ?? width / heads;
    const split = (x: readonly number[]): number[][] =>
      Array.from({ length: x.length / size }, (_, i) => x.slice(i * size, (i + 1) * size));
    const table = this.#rows("model.embed_tokens.weight");
    let xs = ids.map((id) => Array.from(table[id] ?? []));
    for (let layer = 0; layer < this.#number("num_hidden_layers"); layer++) {
      const at = `model.layers.${layer}`;
      const mixed = this.#mixed(
        xs.map((x) => this.#rmsNorm(x, `${at}.input_layernorm`)),
        (x, position) => ({
          queries: split(this.#linear(x, `${at}.self_attn.q_proj`)).map((q) => this.#turned(q, position)),
          keys: split(this.#linear(x, `${at}.self_attn.k_proj`)).map((k) => this.#turned(k, position)),
          values: split(this.#linear(x, `${at}.self_attn.v_proj`)),
        }),
      );
      xs = xs.map((x, t) => plus(x, this.#linear(mixed[t] ?? [], `${at}.self_attn.o_proj`)));
      xs = xs.map((x) => {
        const inner = this.#rmsNorm(x, `${at}.post_attention_layernorm`);
        const up = this.#linear(inner, `${at}.mlp.up_proj`);
        const gate = this.#linear(inner, `${at}.mlp.gate_proj`).map(
          (g, i) => (ACTIVATIONS.silu?.(g) ?? 0) * (up[i] ?? 0),
        );
        return plus(x, this.#linear(gate, `${at}.mlp.down_proj`));
      });
    }
    return xs.map((x) => this.#rmsNorm(x, "model.norm"));
  }

  #gpt2(ids: readonly number[]): number[][] {
    const [width, heads] = [this.#number("n_embd"), this.#number("n_head")];
    const size = width / heads;
    const [tokens, places] = [this.#rows("transformer.wte.weight"), this.#rows("transformer.wpe.weight")];
    let xs = ids.map((id, t) => plus(Array.from(tokens[id] ?? []), Array.from(places[t] ?? [])));
    for (let layer = 0; layer < this.#number("n_layer"); layer++) {
      const at = `transformer.h.${layer}`;
      const mixed = this.#mixed(
        xs.map((x) => this.#layerNorm(x, `${at}.ln_1`)),
        (x) => {
          const joint = this.#linear(x, `${at}.attn.c_attn`);
          const part = (which: number): number[][] =>
            Array.from({ length: heads }, (_, h) =>
              joint.slice(which * width + h * size, which * width + (h + 1) * size),
            );
          return { queries: part(0), keys: part(1), values: part(2) };
        },
      );
      xs = xs.map((x, t) => plus(x, this.#linear(mixed[t] ?? [], `${at}.attn.c_proj`)));
      xs = xs.map((x) => {
        const inner = this.#linear(this.#layerNorm(x, `${at}.ln_2`), `${at}.mlp.c_fc`);
        const active = inner.map((value) => ACTIVATIONS.gelu_new?.(value) ?? 0);
        return plus(x, this.#linear(active, `${at}.mlp.c_proj`));
      });
    }
    return xs.map((x) => this.#layerNorm(x, "transformer.ln_f"));
  }

  logits(ids: readonly number[]): number[][] {
    const gpt2 = this.#config.model_type === "gpt2";
    const tied = this.#config.tie_word_embeddings ?? gpt2;
    const embedding = gpt2 ? "transformer.wte.weight" : "model.embed_tokens.weight";
    const head = this.#rows(tied ? embedding : "lm_head.weight");
    const hidden = gpt2 ? this.#gpt2(ids) : this.#llama(ids);
    return hidden.map((x) => head.map((row) => dot(row, x)));
  }
}

/** Logits after each token of a sequence: [T][V]. */
export const plainLogits = (
  config: PlainConfig,
  weights: PlainWeights,
  ids: readonly number[],
  adapter: PlainAdapter | null = null,
): number[][] => new PlainModel(config, weights, adapter).logits(ids);

/** log pi of each next token: [T - 1]. */
export function plainLogProbs(
  logits: readonly (readonly number[])[],
  ids: readonly number[],
  temperature = 1,
): number[] {
  return ids.slice(1).map((id, t) => {
    const scaled = (logits[t] ?? []).map((value) => value / temperature);
    const most = Math.max(...scaled);
    return (
      (scaled[id] ?? 0) - most - Math.log(scaled.reduce((sum, value) => sum + Math.exp(value - most), 0))
    );
  });
}

/** The likeliest continuation of a prompt, the lowest id of equals. */
export function plainGreedy(
  logitsOf: (ids: readonly number[]) => number[][],
  prompt: readonly number[],
  count: number,
): number[] {
  const ids = [...prompt];
  for (let i = 0; i < count; i++) {
    const last = logitsOf(ids).at(-1) ?? [];
    ids.push(last.indexOf(Math.max(...last)));
  }
  return ids.slice(prompt.length);
}
