import { type FitnessColumns, GrowingHistory, noFitness } from "../../../src/tracking/clients.ts";
import type {
  GenerationReport,
  MemberReport,
  NetworkStructure,
  ProgressReport,
} from "../../../src/tracking/observer.ts";
import {
  type CheckpointSummary,
  LOCAL_RUN,
  type Notice,
  type RunEnd,
  type RunEvent,
  type RunFetch,
  type RunSnapshot,
  type RunStatus,
  type RunSummary,
  type SteeringAction,
  type Unsaved,
} from "../../../src/workers/protocol.ts";
import { FIRST_ACTOR, withNodes } from "./fakeNetworks.ts";

/** The numbers of generations, as a snapshot has them. */
export function columnsOf(generations: readonly GenerationReport[]): FitnessColumns {
  const history = new GrowingHistory(noFitness(), generations.length);
  for (const report of generations) history.append(report);
  return history.columns;
}

export interface FakeRunOptions {
  readonly id: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly startedWith: RunSnapshot["options"];
  readonly algorithm: string;
  readonly environment: string;
  readonly population: number;
  readonly evoSteps: number;
  readonly totalSteps: number;
  /** Fitness at the start and after long training. */
  readonly range: readonly [number, number];
  readonly seed: number;
  readonly emit: (event: RunEvent) => void;
}

const END_REASONS: Partial<Record<RunStatus, RunEnd["reason"]>> = {
  finished: "max_steps",
  stopped: "stopped",
  failed: "failed",
};

/** Small generator of even numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A run that behaves like training without training: scores that rise, selection, mutation. */
export class FakeRun {
  readonly options: FakeRunOptions;
  state: RunStatus = "running";
  failure: string | null = null;
  fetch: RunFetch | null = null;
  waiting = false;
  group: string | null = null;
  champion: RunSummary["champion"] = null;
  unsaved: Unsaved | null = null;
  end: RunEnd | null = null;
  readonly generations: GenerationReport[] = [];
  readonly notices: Notice[] = [];
  progress: ProgressReport | null = null;
  readonly #random: () => number;
  readonly #created: number;
  #members: MemberReport[];
  readonly #networks = new Map<number, NetworkStructure>();
  #nextIndex: number;
  #part = 0;
  #edited: Pick<RunSummary, "name" | "tags" | "note">;
  readonly steering: { readonly generation: number; readonly action: SteeringAction }[] = [];
  checkpoints: readonly CheckpointSummary[] = [];

  constructor(options: FakeRunOptions) {
    this.options = options;
    // Runs that are made in one millisecond have an order all the same.
    this.#created = Date.now() - 1000 + options.seed;
    this.#edited = { name: options.name, tags: [], note: "" };
    this.#random = randomFrom(options.seed);
    this.#nextIndex = options.population;
    this.#members = Array.from(
      { length: options.population },
      (_, slot): MemberReport => ({
        slot,
        index: slot,
        parent: null,
        subpopulation: null,
        fitness: options.range[0],
        steps: 0,
        score: null,
        mutation: "None",
        hyperparameters:
          options.algorithm === "PPO"
            ? { lr: 0.001, batch_size: 256, ent_coef: 0.001 }
            : { lr: 0.001, batch_size: 64, learn_step: 4 },
        metrics: { loss: 1 },
        architecture: "64 | 64 | 64",
        learn_steps: 0,
      }),
    );
  }

  /** Changes what a person may, and tells it. */
  edit(change: Partial<Pick<RunSummary, "name" | "tags" | "note">>): void {
    this.#edited = { ...this.#edited, ...change };
    this.options.emit({ run: this.options.id, kind: "summary", summary: this.summary() });
  }

  /** Only notes it: a fake population cannot be steered. */
  steer(action: SteeringAction): number {
    const generation = this.generations.length + 1;
    this.steering.push({ generation, action });
    this.options.emit({ run: this.options.id, kind: "steering", generation, action });
    return generation;
  }

  summary(): RunSummary {
    const { id, algorithm, environment } = this.options;
    const { name } = this.#edited;
    const all = this.generations.flatMap((report) => report.fitnesses);
    return {
      id,
      name,
      state: this.state,
      algorithm,
      environment,
      seed: this.options.startedWith.seed,
      generation: this.generations.length,
      global_step: this.generations.at(-1)?.global_step ?? 0,
      best_fitness: all.length === 0 ? null : Math.max(...all),
      created_at: this.#created,
      updated_at: Date.now(),
      bytes: 180_000 + 21_000 * this.generations.length,
      tags: this.#edited.tags,
      note: this.#edited.note,
      device: null,
      last_checkpoint: null,
      steps_per_second: null,
      sparkline: Float32Array.from(this.generations.slice(-40), ({ fitnesses }) => Math.max(...fitnesses)),
      live_elsewhere: false,
      fetch: this.fetch,
      waiting: this.waiting,
      unsaved: this.unsaved,
      compared_with: null,
      group: this.group,
      champion: this.champion,
      end: this.end,
      can: LOCAL_RUN,
    };
  }

  snapshot(): RunSnapshot {
    return {
      summary: this.summary(),
      manifest: this.options.manifest,
      options: this.options.startedWith,
      columns: columnsOf(this.generations),
      latest: this.generations.at(-1) ?? null,
      progress: this.progress,
      total_steps: this.options.totalSteps * this.options.population,
      device: {
        kind: "wasm",
        label: "WASM SIMD, 1 worker",
        reason: "The networks are small; WASM is faster.",
      },
      notices: [...this.notices],
      completions: [],
      failure: this.failure,
    };
  }

  /** @param reason Of a run that ends; how it took all of its steps or was stopped unless given. */
  setState(state: RunStatus, failure: string | null = null, reason?: RunEnd["reason"]): void {
    this.state = state;
    this.failure = failure;
    const why = reason ?? END_REASONS[state];
    this.end = why === undefined ? null : { reason: why, at: Date.now() };
    this.options.emit({ run: this.options.id, kind: "state", state, failure, end: this.end });
  }

  /** Its storage is full, or takes data again. */
  setUnsaved(unsaved: Unsaved | null): void {
    this.unsaved = unsaved;
    this.options.emit({ run: this.options.id, kind: "unsaved", unsaved });
  }

  /** The run waits for its data set, or waits no more. */
  setFetch(fetch: RunFetch | null): void {
    this.fetch = fetch;
    this.options.emit({ run: this.options.id, kind: "fetch", fetch });
  }

  notice(level: Notice["level"], message: string): void {
    const notice = { level, message, at: Date.now() };
    this.notices.push(notice);
    this.options.emit({ run: this.options.id, kind: "notice", notice });
  }

  /** A quarter of a generation. */
  tick(): void {
    if (this.state !== "running") return;
    this.#part += 1;
    const { population, evoSteps, totalSteps, id, emit } = this.options;
    const perGeneration = population * evoSteps;
    this.progress = {
      event: "progress",
      generation: this.generations.length,
      global_step: (this.generations.length + this.#part / 4) * perGeneration,
      total_steps: totalSteps * population,
      steps_per_second: 61_000 + 6000 * this.#random(),
      learn_steps_per_second: 15_000 + 1500 * this.#random(),
    };
    emit({ run: id, kind: "progress", report: this.progress });
    if (this.#part === 4) this.generation();
  }

  generation(): void {
    this.#part = 0;
    const { id, emit, evoSteps, population, totalSteps } = this.options;
    const generation = this.generations.length + 1;
    if (generation > 1) this.#evolve();
    this.#members = this.#members.map((member) => this.#train(member, generation));
    const fitnesses = this.#members.map(({ fitness }) => fitness);
    const members = this.#members.map((member) => this.#withNetwork(member, generation));
    const report: GenerationReport = {
      event: "generation",
      generation,
      global_step: generation * evoSteps * population,
      fitnesses,
      elite: fitnesses.indexOf(Math.max(...fitnesses)),
      members,
      lineage: [],
      seconds: 0.9 + 0.3 * this.#random(),
      steps_per_second: 62_000,
      learn_steps_per_second: 15_400,
    };
    this.generations.push(report);
    emit({ run: id, kind: "generation", report });
    emit({ run: id, kind: "checkpoint", generation, global_step: report.global_step });
    if (generation * evoSteps >= totalSteps) this.setState("finished");
  }

  /** A member with its networks where they are not its parent's. */
  #withNetwork(member: MemberReport, generation: number): MemberReport {
    const inherited =
      this.#networks.get(member.index) ?? this.#networks.get(member.parent ?? -1) ?? FIRST_ACTOR;
    const grows = member.mutation === "head_net.add_node" && !this.#networks.has(member.index);
    const network = grows ? withNodes(inherited) : inherited;
    this.#networks.set(member.index, network);
    return generation === 1 || grows ? { ...member, network: [network] } : member;
  }

  #train(member: MemberReport, generation: number): MemberReport {
    const [low, high] = this.options.range;
    const learnt = 1 / (1 + Math.exp(-(generation - 7 + 2 * (member.index % 3)) / 2.2));
    const noise = (this.#random() - 0.5) * 0.35 * (1 - learnt * 0.7);
    const fitness = low + (high - low) * Math.max(0, Math.min(1, learnt + noise));
    return {
      ...member,
      fitness,
      score: low + (fitness - low) * 0.8,
      steps: member.steps + this.options.evoSteps,
      metrics: { loss: 0.8 / generation + 0.05 * this.#random() },
      learn_steps: 1000,
    };
  }

  #evolve(): void {
    const ranked = [...this.#members].sort((a, b) => b.fitness - a.fitness);
    const elite = ranked[0];
    this.#members = this.#members.map((member, slot) => {
      const parent = slot === 0 || this.#random() < 0.4 ? (elite ?? member) : member;
      const index = slot === 0 ? parent.index : this.#nextIndex;
      this.#nextIndex += 1;
      return this.#mutate({ ...parent, slot, index, parent: parent.index });
    });
  }

  #mutate(member: MemberReport): MemberReport {
    const kinds = ["None", "lr", "batch_size", "head_net.add_node", "param", "encoder.add_layer"];
    const mutation = kinds[Math.floor(this.#random() * kinds.length)] ?? "None";
    const factor = this.#random() < 0.5 ? 0.8 : 1.2;
    const value = member.hyperparameters[mutation];
    if (value !== undefined) {
      const next = mutation === "lr" ? value * factor : Math.round(value * factor);
      return { ...member, mutation, hyperparameters: { ...member.hyperparameters, [mutation]: next } };
    }
    const architecture = mutation === "head_net.add_node" ? "64 | 64 | 96" : "64-64 | 64 | 64";
    return { ...member, mutation, ...(mutation.includes("add") ? { architecture } : {}) };
  }
}
