/** Tables of rotary embeddings: cosines and sines of positions times frequencies. */
import { logarithm } from "../../evolution/members.ts";
import {
  add,
  cast,
  constant,
  cos,
  div,
  exp,
  greater,
  iota,
  less,
  log,
  maximum,
  minimum,
  mul,
  reshape,
  type StateDecl,
  select,
  sin,
  state,
  sub,
  type Tensor,
  trace,
  WasmDevice,
} from "../../kernels/index.ts";
import { type ModelConfig, type RopeScaling, rotaryWidth } from "../models/ModelConfig.ts";
import { ROTARY_TABLES } from "../models/transformer.ts";

/** Wavelengths of a kind of layer. */
interface Wavelengths {
  readonly names: (typeof ROTARY_TABLES)["global" | "local"];
  readonly theta: number;
  readonly scaling: RopeScaling | null;
}

type Scaling<T extends RopeScaling["rope_type"]> = Extract<RopeScaling, { readonly rope_type: T }>;

/**
 * Llama 3's scaling of frequencies: those with long waves are divided by the factor, those with short waves stay, and
 * between the two the change is smooth (Grattafiori et al. 2024, by transformers' formula).
 */
function smoothed(frequencies: Tensor, { factor, ...scaling }: Scaling<"llama3">): Tensor {
  const {
    low_freq_factor: low,
    high_freq_factor: high,
    original_max_position_embeddings: original,
  } = scaling;
  const waves = div(2 * Math.PI, frequencies);
  const slow = div(frequencies, factor);
  const share = div(sub(div(original, waves), low), high - low);
  const between = add(mul(sub(1, share), slow), mul(share, frequencies));
  const short = select(less(waves, original / high), frequencies, between);
  return select(greater(waves, original / low), slow, short);
}

/**
 * YaRN's scaling of frequencies (Peng et al. 2023, section 3.2): a linear ramp over their indices, from those that turn
 * `beta_fast` times in the original context, which stay, to those that turn `beta_slow` times, which are divided.
 */
function ramped(frequencies: Tensor, theta: number, width: number, scaling: Scaling<"yarn">): Tensor {
  const { factor, original_max_position_embeddings: original, beta_fast, beta_slow, truncate } = scaling;
  const index = (turns: number, round: (x: number) => number): number => {
    const at = (width * logarithm(original / (turns * 2 * Math.PI))) / (2 * logarithm(theta));
    return truncate ? round(at) : at;
  };
  const low = Math.max(index(beta_fast, Math.floor), 0);
  const high = Math.min(index(beta_slow, Math.ceil), width - 1);
  const span = high === low ? 0.001 : high - low;
  const ramp = minimum(maximum(div(sub(cast(iota(width / 2), "f32"), low), span), 0), 1);
  return add(mul(div(frequencies, factor), ramp), mul(frequencies, sub(1, ramp)));
}

/**
 * Frequencies theta^(-2 i / D): [D / 2], or [positions, D / 2] with dynamic scaling. There, theta grows with the length
 * beyond the original one: a token has the theta of the sequence that it ends, as in transformers' cached decoding.
 */
function frequenciesOf(width: number, places: Tensor, { theta, scaling }: Wavelengths): Tensor {
  const indices = cast(iota(width / 2), "f32");
  const powers = (logarithm: Tensor): Tensor => exp(mul(indices, div(logarithm, -width / 2)));
  const base = log(constant(theta));
  switch (scaling?.rope_type) {
    case undefined:
      return powers(base);
    case "linear":
      return div(powers(base), scaling.factor);
    case "llama3":
      return smoothed(powers(base), scaling);
    case "yarn":
      return ramped(powers(base), theta, width, scaling);
    case "dynamic": {
      const { factor, original_max_position_embeddings: original } = scaling;
      const length = maximum(add(places, 1), original);
      const growth = log(sub(mul(length, factor / original), factor - 1));
      return powers(add(base, mul(growth, width / (width - 2))));
    }
  }
}

/**
 * Cosines and sines of position / theta^(2 i / D) (Su et al. 2021, equation 15). Computed by the wasm target,
 * so that every device uses the same bits.
 */
function tablesOf(width: number, positions: number, waves: Wavelengths): ReadonlyMap<string, Float32Array> {
  const { names, scaling } = waves;
  const factor = scaling?.rope_type === "yarn" ? scaling.attention_factor : 1;
  const times = (x: Tensor): Tensor => (factor === 1 ? x : mul(x, factor));
  const shape = [positions, width / 2];
  const program = trace("rotary tables", () => {
    const places = reshape(cast(iota(positions), "f32"), [positions, 1]);
    const angles = mul(places, frequenciesOf(width, places, waves));
    state(names.cos, shape).write(times(cos(angles)));
    state(names.sin, shape).write(times(sin(angles)));
  });
  const device = new WasmDevice();
  const arena = device.arena(program.states.values(), {});
  device.compile(program).bind(arena).run();
  const tables = new Map(Object.values(names).map((name) => [name, arena.read(name) as Float32Array])); // f32
  device.close();
  return tables;
}

function wavelengthsOf({ rope_theta, rope_scaling, rope_local_theta }: ModelConfig): readonly Wavelengths[] {
  const { global, local } = ROTARY_TABLES;
  return [
    ...(rope_theta === null ? [] : [{ names: global, theta: rope_theta, scaling: rope_scaling ?? null }]),
    ...(rope_local_theta === undefined ? [] : [{ names: local, theta: rope_local_theta, scaling: null }]),
  ];
}

/** The tables of positions that all policies read, by name: [positions, D / 2]. */
export const positionTables = (config: ModelConfig, positions: number): ReadonlyMap<string, Float32Array> =>
  new Map(wavelengthsOf(config).flatMap((waves) => [...tablesOf(rotaryWidth(config), positions, waves)]));

/** The buffers of those tables. */
export const tableStates = (config: ModelConfig, positions: number): readonly StateDecl[] =>
  wavelengthsOf(config)
    .flatMap(({ names }) => Object.values(names))
    .map((name) => ({ name, shape: [positions, rotaryWidth(config) / 2], dtype: "f32", shared: true }));
