/** One agent on a device, driven by the host: it acts, learns, and gives its state back. */
import type { Program } from "../../kernels/index.ts";
import type { WasmDevice } from "../../kernels/wasm/device.ts";
import type { AgentState } from "../agents/agentState.ts";
import { findAlgorithm } from "../algorithms/registry.ts";
import { metricName } from "../programs/learning.ts";
import type { TransitionLayout } from "../programs/replay.ts";
import { type HostPurpose, hostProgram } from "./programSet.ts";
import type { DeviceReplay } from "./replayMemory.ts";
import { bindAgent, Residence, type Sizes } from "./residence.ts";
import { PURPOSE } from "./turn.ts";

/** Gives buffers back when their agent was dropped without being told. */
const abandoned = new FinalizationRegistry<Residence>((residence) => residence.release());

export class AgentSession {
  readonly layout: TransitionLayout;
  readonly #residence: Residence;
  readonly #programs = new Map<HostPurpose, Program>();
  #state: AgentState;
  #sizes: Sizes = { num_envs: 1, batch: 1 };
  #loaded = false;
  /** The buffers are ahead of `#state`. */
  #learned = false;
  /** What names the draws, and how often the agent was loaded under that name. */
  #key: readonly number[];
  #loads = 0;
  /** Learning steps and mean metrics of the buffers given up since the state was set. */
  #past: { readonly learned: number; readonly metrics: Readonly<Record<string, number>> }[] = [];

  /**
   * @param seed Of the draws until `setKey`; they depend on (seed, index, calls so far).
   * @param replay Memory that the member's programs append to and sample from.
   */
  constructor(
    device: WasmDevice,
    layout: TransitionLayout,
    state: AgentState,
    seed: number,
    replay?: DeviceReplay | null,
  ) {
    this.layout = layout;
    this.#state = state;
    this.#key = [seed, state.index, PURPOSE.host];
    this.#residence = new Residence(device, replay?.arena);
    abandoned.register(this, this.#residence, this);
  }

  /** The agent as it stands. */
  get state(): AgentState {
    if (this.#learned) this.#state = this.#residence.unload();
    this.#learned = false;
    return this.#state;
  }

  /** Another agent, or the same one changed; counters of draws and metrics start anew. */
  set state(state: AgentState) {
    this.#state = state;
    this.#programs.clear();
    this.#loaded = false;
    this.#learned = false;
    this.#past = [];
  }

  /** Names the draws of what runs next. */
  setKey(...parts: readonly number[]): void {
    this.#key = parts;
    this.#loads = this.#loaded ? 1 : 0;
    if (this.#loaded) this.#residence.setKey(...parts);
  }

  /** Buffers that hold the agent, with the programs for these purposes and those opened before. */
  open(purposes: readonly HostPurpose[], sizes: Partial<Sizes> = {}): Residence {
    const wanted = { ...this.#sizes, ...sizes };
    const isNew = purposes.some((purpose) => !this.#programs.has(purpose));
    const isOther = JSON.stringify(wanted) !== JSON.stringify(this.#sizes);
    if (this.#loaded && !isNew && !isOther) return this.#residence;

    const { state } = this;
    if (this.#loaded)
      this.#past.push({ learned: this.#residence.learned, metrics: this.#residence.metrics() });
    this.#sizes = wanted;
    for (const purpose of purposes) this.#programs.set(purpose, hostProgram(state, this.layout, purpose));
    this.#residence.prepare(state, [...this.#programs.values()], bindAgent(state, wanted));
    this.#residence.load(state);
    // Counters of draws start anew with each load, so that the name must differ.
    this.#residence.setKey(...this.#key, ...(this.#loads === 0 ? [] : [this.#loads]));
    this.#loads++;
    this.#loaded = true;
    return this.#residence;
  }

  /** Runs a program that was opened. */
  run(purpose: HostPurpose): void {
    const program = this.#programs.get(purpose);
    if (!program) throw new Error(`session: program ${purpose} was not opened`);
    this.#residence.run(program);
    if (purpose === "store" || purpose === "learn") this.#learned = true;
  }

  /** Runs "learn" on what its buffers hold; metrics averaged over the learning steps it took. */
  learn(): Record<string, number> {
    const residence = this.#residence;
    const { metrics } = findAlgorithm(this.#state.algorithm);
    const before = residence.learned;
    for (const name of metrics) residence.set(metricName(name), 0);
    this.run("learn");
    const steps = residence.learned - before;
    return Object.fromEntries(metrics.map((name) => [name, residence.number(metricName(name)) / steps]));
  }

  /** Learning steps since the state was set. */
  get learned(): number {
    return this.#parts().reduce((sum, { learned }) => sum + learned, 0);
  }

  /** Means of the algorithm's metrics over those steps; empty when there were none. */
  metrics(): Record<string, number> {
    const parts = this.#parts().filter(({ learned }) => learned > 0);
    const [first] = parts;
    if (!first || parts.length === 1) return { ...first?.metrics };
    const total = this.learned;
    return Object.fromEntries(
      Object.keys(first.metrics).map((name) => [
        name,
        parts.reduce((sum, { learned, metrics }) => sum + (metrics[name] ?? 0) * (learned / total), 0),
      ]),
    );
  }

  #parts() {
    const residence = this.#residence;
    return this.#loaded
      ? [...this.#past, { learned: residence.learned, metrics: residence.metrics() }]
      : this.#past;
  }

  /** Gives its buffers back; they come again when next opened. */
  release(): void {
    this.#state = this.state;
    if (this.#loaded) this.#past = this.#parts();
    this.#loaded = false;
    this.#residence.release();
  }
}
