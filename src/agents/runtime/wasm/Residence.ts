/** Transfers an agent's state to and from the buffers of a device. */

import type { WasmArena, WasmBoundProgram, WasmDevice } from "../../../kernels/devices.ts";
import type { Binding, Program, StateDecl } from "../../../kernels/index.ts";
import type { AgentState } from "../../member/agentState.ts";
import {
  agentContents,
  agentFrom,
  type Contents,
  keyContents,
  learnedIn,
  type MetricSum,
  metricSums,
  metricsIn,
} from "../agentBuffers.ts";

/** Programs bound to one set of buffers, which holds one agent at a time. */
export class Residence {
  readonly #device: WasmDevice;
  #shared: WasmArena | undefined;
  #arena: WasmArena | null = null;
  #bound = new Map<Program, WasmBoundProgram>();
  #key = "";
  #agent: AgentState | null = null;

  constructor(device: WasmDevice, shared?: WasmArena) {
    this.#device = device;
    this.#shared = shared;
  }

  /** Replaces the shared buffers, and releases its own. @internal */
  share(shared: WasmArena | undefined): void {
    this.release();
    this.#shared = shared;
  }

  /**
   * Allocates buffers for the agent and its programs; reuses them if nothing changed since the last call.
   * @param slot Slot of the agent in its population, for the device's reports.
   */
  prepare(agent: AgentState, programs: readonly Program[], binding: Binding, slot?: number): void {
    const key = JSON.stringify(binding);
    this.#agent = agent;
    // Requested even if they are bound already, because the cache evicts programs that are not requested.
    const executables = programs.map((program) => this.#device.compile(program, slot));
    if (key === this.#key && programs.every((p) => this.#bound.has(p))) return;
    this.release();
    const states = new Map<string, StateDecl>();
    for (const program of programs) for (const decl of program.states.values()) states.set(decl.name, decl);
    this.#arena = this.#device.arena(states.values(), binding, this.#shared);
    for (const [i, program] of programs.entries()) {
      const executable = executables[i];
      if (executable) this.#bound.set(program, executable.bind(this.#arena));
    }
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

  /** Writes a buffer if a prepared program has it. */
  set(name: string, ...values: readonly number[]): void {
    if (this.arena.has(name)) this.arena.write(name, values);
  }

  number(name: string): number {
    return this.arena.view(name)[0] ?? Number.NaN;
  }

  /** Copies networks, moments and hyperparameters into the buffers; sets counters and sums to zero. */
  load(agent: AgentState): void {
    this.write(agentContents(agent));
  }

  /** Sets the random key of the programs that run next. */
  setKey(...parts: readonly number[]): void {
    this.write(keyContents(...parts));
  }

  /** Writes those buffers that a prepared program has. */
  write(contents: Contents): void {
    const { arena } = this;
    for (const [name, values] of contents) if (arena.has(name)) arena.write(name, values);
  }

  #read(name: string) {
    return this.arena.has(name) ? this.arena.read(name) : undefined;
  }

  /** The agent's current state, read from the buffers. */
  unload(): AgentState {
    const agent = this.#agent;
    if (!agent) throw new Error("residence: no agent was loaded");
    return agentFrom(agent, (name) => this.#read(name));
  }

  /** The algorithm's metrics over the learning steps since load(). */
  metricSums(): Record<string, MetricSum> {
    return this.#agent ? metricSums(this.#agent, (name) => this.#read(name)) : {};
  }

  /** Means of the algorithm's metrics over the learning steps since load(). */
  metrics(): Record<string, number> {
    return this.#agent ? metricsIn(this.#agent, (name) => this.#read(name)) : {};
  }

  get learned(): number {
    return learnedIn((name) => this.#read(name));
  }

  release(): void {
    for (const bound of this.#bound.values()) bound.release();
    this.#bound = new Map();
    this.#arena?.release();
    this.#arena = null;
    this.#key = "";
  }
}
