/** One agent on a device, driven by the host: it acts, learns, and returns its state. */

import type { WasmDevice } from "../../../kernels/devices.ts";
import type { Program } from "../../../kernels/index.ts";
import type { CompiledEnvironment, GameState } from "../../../rl/environments.ts";
import {
  type AgentStructure,
  type LookAhead,
  memoryBuffer,
  metricName,
  watchedLayer,
} from "../../../rl/programs.ts";
import type { AgentSpaces } from "../../../rl/spaces.ts";
import { type AgentState, hiddenSizes } from "../../member/agentState.ts";
import { algorithmOf } from "../../member/registry.ts";
import { type MetricSum, meansOf } from "../agentBuffers.ts";
import { bindAgent, type Sizes } from "../programInputs.ts";
import { type HostPurpose, hostProgram, structureOf } from "../programSet.ts";
import { PURPOSE } from "../turn.ts";
import type { DeviceReplay } from "./DeviceReplay.ts";
import { GameSearch, type SearchedPosition } from "./GameSearch.ts";
import { Residence } from "./Residence.ts";

export type { SearchedPosition };

/** Releases the buffers of sessions that were garbage-collected without `release()`. */
const abandoned = new FinalizationRegistry<Residence>((residence) => residence.release());

/** Counters in the random keys of programs' draws. */
const COUNTERS = ["counter.vector_step", "counter.draw", "counter.epoch"] as const;

/** Programs that change the agent. */
const LEARNING: readonly HostPurpose[] = ["store", "hindsight", "statistics", "learn", "lessons"];

/** Learning steps, and the algorithm's metrics averaged over them. */
interface Progress {
  readonly learned: number;
  readonly metrics: Readonly<Record<string, number>>;
}

const NOTHING: Progress = { learned: 0, metrics: {} };

export class AgentSession {
  readonly #device: WasmDevice;
  #layout: AgentSpaces;
  readonly #residence: Residence;
  #replay: DeviceReplay | null;
  readonly #programs = new Map<HostPurpose, Program>();
  /** Slot of the agent in its population, for the device's reports. */
  slot: number | undefined;
  #state: AgentState;
  #sizes: Sizes = { num_envs: 1, batch: 1 };
  #loaded = false;
  /** Whether the buffers are newer than `#state`. */
  #learned = false;
  /** The random key, and the counters of draws made with it when the buffers were last released. */
  #key: readonly number[];
  #counters: readonly number[] = [];
  /** Learning done in buffers that were replaced or released since the state was set. */
  #past: Progress = NOTHING;

  /**
   * @param seed Seed of the draws until `setKey`; they depend on (seed, index, number of draws so far).
   * @param replay Replay buffer that the member's programs append to and sample from.
   */
  constructor(
    device: WasmDevice,
    layout: AgentSpaces,
    state: AgentState,
    seed: number,
    replay?: DeviceReplay | null,
  ) {
    this.#device = device;
    this.#layout = layout;
    this.#state = state;
    this.#key = [seed, state.index, PURPOSE.host];
    this.#replay = replay ?? null;
    this.#residence = new Residence(device, replay?.arena);
    abandoned.register(this, this.#residence, this);
  }

  get layout(): AgentSpaces {
    return this.#layout;
  }

  /** Programs that are opened from now on use this replay buffer; null for none. @internal */
  share(replay: DeviceReplay | null): void {
    if (replay === this.#replay) return;
    this.release();
    this.#residence.share(replay?.arena);
    this.#programs.clear();
    this.#replay = replay;
  }

  /** Learns from batches with action masks from now on. */
  keepMasks(): void {
    if (this.#layout.masked) return;
    this.#layout = { ...this.#layout, masked: true };
    this.#programs.delete("learn");
  }

  /** The agent's current state. */
  get state(): AgentState {
    if (this.#learned) this.#state = this.#residence.unload();
    this.#learned = false;
    return this.#state;
  }

  /** What its programs depend on. @internal */
  get structure(): AgentStructure {
    return structureOf(this.state);
  }

  /** Sets another agent, or a changed state of the same agent; resets `learned` and the metrics. */
  set state(state: AgentState) {
    this.#keepCounters();
    this.#state = state;
    this.#programs.clear();
    this.#loaded = false;
    this.#learned = false;
    this.#past = NOTHING;
  }

  /**
   * Searches from positions of a game.
   * @throws RangeError for a game of chance or of hidden information, and for an agent without a value.
   */
  search(
    game: CompiledEnvironment,
    settings: LookAhead,
    positions: readonly GameState[],
  ): SearchedPosition[] {
    const searcher = new GameSearch(this.#device, this.state, game, settings);
    try {
      return positions.length === 0 ? [] : searcher.search(positions);
    } finally {
      searcher.release();
    }
  }

  /** Sets the random key of the programs that run next. */
  setKey(...parts: readonly number[]): void {
    this.#key = parts;
    this.#counters = [];
    if (this.#loaded) this.#nameDraws();
  }

  /** Loads the agent into buffers for the programs of these purposes and of those opened before. */
  open(purposes: readonly HostPurpose[], sizes: Partial<Sizes> = {}): Residence {
    const isNew = purposes.some((purpose) => !this.#programs.has(purpose));
    const isOther = Object.entries(sizes).some(([name, size]) => this.#sizes[name as keyof Sizes] !== size);
    if (this.#loaded && !isNew && !isOther) return this.#residence;

    const { state } = this;
    this.#past = this.#progress();
    this.#keepCounters();
    this.#sizes = { ...this.#sizes, ...sizes };
    for (const purpose of purposes)
      this.#programs.set(purpose, hostProgram(state, this.layout, purpose, this.#replay?.kind));
    this.#residence.prepare(state, [...this.#programs.values()], bindAgent(state, this.#sizes), this.slot);
    this.#residence.load(state);
    this.#nameDraws();
    this.#loaded = true;
    return this.#residence;
  }

  /** The programs that were opened. */
  get programs(): readonly Program[] {
    return [...this.#programs.values()];
  }

  /** Runs a program that was opened before. */
  run(purpose: HostPurpose): void {
    const program = this.#programs.get(purpose);
    if (!program) throw new Error(`session: program ${purpose} was not opened`);
    this.#residence.run(program);
    const remembers = purpose === "act" && algorithmOf(this.#state).lastLayer !== undefined;
    if (remembers || LEARNING.includes(purpose)) this.#learned = true;
  }

  /**
   * Output of each layer in the last run of "watched", by network and layer; a layer called several times has
   * several entries.
   */
  *layerOutputs(): Generator<readonly [layer: string, values: ArrayLike<number>]> {
    const { arena } = this.#residence;
    for (const { name } of this.#programs.get("watched")?.states.values() ?? []) {
      const layer = watchedLayer(name);
      if (layer !== null) yield [layer, arena.view(name)];
    }
  }

  /** Resets the recurrent state, as at the start of an episode. */
  forget(): void {
    const { arena } = this.#residence;
    for (const name of Object.keys(hiddenSizes(this.#state)).map(memoryBuffer))
      if (arena.has(name)) arena.view(name).fill(0);
  }

  /** Runs "learn" on the contents of its buffers. Returns metrics averaged over its learning steps. */
  learn(): Record<string, number> {
    const residence = this.#residence;
    const before = residence.metricSums();
    // Sums start at zero, because the difference of two large sums would lose precision.
    for (const name of Object.keys(before)) residence.set(metricName(name), 0);
    this.run("learn");
    const after = Object.entries(residence.metricSums()).map(
      ([name, { sum, count }]): [string, MetricSum] => {
        const past = before[name] ?? { sum: 0, count: 0 };
        residence.set(metricName(name), past.sum + sum);
        return [name, { sum, count: count - past.count }];
      },
    );
    return meansOf(Object.fromEntries(after));
  }

  /** Learning steps since the state was set. */
  get learned(): number {
    return this.#progress().learned;
  }

  /** Means of the algorithm's metrics over those steps; empty when there were none. */
  metrics(): Readonly<Record<string, number>> {
    return this.#progress().metrics;
  }

  #progress(): Progress {
    const residence = this.#residence;
    if (!this.#loaded || residence.learned === 0) return this.#past;
    return together(this.#past, { learned: residence.learned, metrics: residence.metrics() });
  }

  #nameDraws(): void {
    this.#residence.setKey(...this.#key);
    COUNTERS.forEach((name, i) => {
      this.#residence.set(name, this.#counters[i] ?? 0);
    });
  }

  #keepCounters(): void {
    if (!this.#loaded) return;
    const residence = this.#residence;
    const before = this.#counters;
    this.#counters = COUNTERS.map((name, i) =>
      residence.arena.has(name) ? residence.number(name) : (before[i] ?? 0),
    );
  }

  /** Releases its buffers; `open` allocates them again. */
  release(): void {
    this.#state = this.state;
    this.#past = this.#progress();
    this.#keepCounters();
    this.#loaded = false;
    this.#residence.release();
  }
}

/** Combines the means of two periods of learning. */
function together(a: Progress, b: Progress): Progress {
  if (a.learned === 0) return b;
  const learned = a.learned + b.learned;
  const metrics = { ...a.metrics, ...b.metrics };
  for (const name of Object.keys(metrics)) {
    const [first, second] = [a.metrics[name], b.metrics[name]];
    if (first !== undefined && second !== undefined)
      metrics[name] = (first * a.learned + second * b.learned) / learned;
  }
  return { learned, metrics };
}
