/** An agent's state in the buffers of a device, and back. */
import { momentName } from "../../kernels/functions/optimizers.ts";
import { hostKey } from "../../kernels/functions/random.ts";
import type { Binding, Program, StateDecl } from "../../kernels/index.ts";
import type { WasmArena, WasmBoundProgram, WasmDevice } from "../../kernels/wasm/device.ts";
import type { AgentState, OptimizerState, Tensors } from "../agents/agentState.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import { bindNetwork } from "../networks/index.ts";
import { hyperparameterName } from "../programs/inputs.ts";
import { LEARNED, metricName, networkDims } from "../programs/learning.ts";

/** Sizes that the agent's own state does not fix. */
export interface Sizes {
  readonly num_envs: number;
  readonly batch: number;
  readonly population?: number;
  readonly capacity?: number;
  readonly horizon?: number;
  readonly minibatches?: number;
}

/** Values of all symbols of an agent's programs. */
export function bindAgent(agent: AgentState, sizes: Sizes): Binding {
  const algorithm = findAlgorithm(agent.algorithm);
  const widths = Object.entries(agent.networks)
    .filter(([name]) => !(name in algorithm.targets))
    .map(([name, { data }]) =>
      bindNetwork(data, data.encoder === "shared" ? networkDims(algorithm, name) : name),
    );
  return Object.assign({ population: 1, capacity: 1, horizon: 1, minibatches: 1, ...sizes }, ...widths);
}

/** Adam's beta powers after `steps` steps, in the f32 arithmetic of the program. */
function betaPower(beta: number, steps: number): number {
  const factor = Math.fround(beta);
  let power = 1;
  for (let i = 0; i < steps; i++) {
    const next = Math.fround(power * factor);
    // It ends at 0 or at a number so small that the product rounds to itself.
    if (next === power) break;
    power = next;
  }
  return power;
}

/** Programs bound to one set of buffers that hold one agent at a time. */
export class Residence {
  readonly #device: WasmDevice;
  readonly #shared: WasmArena | undefined;
  #arena: WasmArena | null = null;
  #bound = new Map<Program, WasmBoundProgram>();
  #key = "";
  #agent: AgentState | null = null;

  constructor(device: WasmDevice, shared?: WasmArena) {
    this.#device = device;
    this.#shared = shared;
  }

  /** Buffers sized for the agent and its programs; kept when nothing changed since the last time. */
  prepare(agent: AgentState, programs: readonly Program[], binding: Binding): void {
    const key = JSON.stringify(binding);
    this.#agent = agent;
    if (key === this.#key && programs.every((p) => this.#bound.has(p))) return;
    this.release();
    const states = new Map<string, StateDecl>();
    for (const program of programs) for (const decl of program.states.values()) states.set(decl.name, decl);
    this.#arena = this.#device.arena(states.values(), binding, this.#shared);
    for (const program of programs) this.#bound.set(program, this.#device.compile(program).bind(this.#arena));
    this.#key = key;
  }

  get arena(): WasmArena {
    if (!this.#arena) throw new Error("residence: no agent was loaded");
    return this.#arena;
  }

  run(program: Program): void {
    const bound = this.#bound.get(program);
    if (!bound) throw new Error(`residence: program ${program.name} is not prepared`);
    bound.run();
  }

  /** Writes a buffer when some prepared program has it. */
  set(name: string, ...values: readonly number[]): void {
    if (this.arena.has(name)) this.arena.write(name, values);
  }

  number(name: string): number {
    return this.arena.view(name)[0] ?? Number.NaN;
  }

  /** Copies networks, moments and hyperparameters in; sets counters and sums to zero. */
  load(agent: AgentState): void {
    const { arena } = this;
    const write = (name: string, values: Float32Array) => {
      if (arena.has(name)) arena.write(name, values);
    };
    for (const [network, { tensors }] of Object.entries(agent.networks)) {
      for (const [name, values] of Object.entries(tensors)) write(`${network}.${name}`, values);
    }
    for (const [name, { step, first, second }] of Object.entries(agent.optimizers)) {
      for (const [parameter, values] of Object.entries(first))
        write(momentName(name, "first", parameter), values);
      for (const [parameter, values] of Object.entries(second))
        write(momentName(name, "second", parameter), values);
      this.set(`${name}.beta1_power`, betaPower(0.9, step));
      this.set(`${name}.beta2_power`, betaPower(0.999, step));
    }
    for (const [name, value] of Object.entries(agent.hyperparameters)) {
      if (typeof value === "number") this.set(hyperparameterName(name), value);
    }
    // A limit that is not set never binds.
    if (agent.hyperparameters.target_kl === null) this.set(hyperparameterName("target_kl"), Infinity);
    for (const name of ["vector_step", "draw", "epoch", LEARNED]) this.set(`counter.${name}`, 0);
    for (const metric of findAlgorithm(agent.algorithm).metrics) this.set(metricName(metric), 0);
    this.set("learn_credit", agent.learn_credit);
  }

  /** Names the draws of what runs next. */
  setKey(...parts: readonly number[]): void {
    const [a, b] = hostKey(...parts);
    this.set("key.0", a);
    this.set("key.1", b);
  }

  /** The agent as it stands in the buffers. */
  unload(): AgentState {
    const agent = this.#agent;
    if (!agent) throw new Error("residence: no agent was loaded");
    const { arena } = this;
    const read = (name: string, before: Float32Array) =>
      arena.has(name) ? (arena.read(name) as Float32Array) : before;
    const readAll = (tensors: Tensors, nameOf: (key: string) => string): Tensors =>
      Object.fromEntries(Object.entries(tensors).map(([key, before]) => [key, read(nameOf(key), before)]));
    const learned = arena.has(`counter.${LEARNED}`) ? this.number(`counter.${LEARNED}`) : 0;
    const optimizers = Object.entries(agent.optimizers).map(([name, o]): [string, OptimizerState] => [
      name,
      {
        ...o,
        step: o.step + learned,
        first: readAll(o.first, (key) => momentName(name, "first", key)),
        second: readAll(o.second, (key) => momentName(name, "second", key)),
      },
    ]);
    const networks = Object.entries(agent.networks).map(([network, { data, tensors }]) => [
      network,
      { data, tensors: readAll(tensors, (key) => `${network}.${key}`) },
    ]);
    return {
      ...agent,
      networks: Object.fromEntries(networks),
      optimizers: Object.fromEntries(optimizers),
      learn_credit: arena.has("learn_credit") ? this.number("learn_credit") : agent.learn_credit,
    };
  }

  /** Means of the algorithm's metrics over the learning steps since load(). */
  metrics(): Record<string, number> {
    const { learned } = this;
    const agent = this.#agent;
    if (!agent || learned === 0) return {};
    return Object.fromEntries(
      findAlgorithm(agent.algorithm).metrics.map((name) => [name, this.number(metricName(name)) / learned]),
    );
  }

  get learned(): number {
    return this.arena.has(`counter.${LEARNED}`) ? this.number(`counter.${LEARNED}`) : 0;
  }

  release(): void {
    for (const bound of this.#bound.values()) bound.release();
    this.#bound = new Map();
    this.#arena?.release();
    this.#arena = null;
    this.#key = "";
  }
}
