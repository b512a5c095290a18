/** Spreads the members of a generation over compute workers; who runs what changes no result. */
import { type KernelReport, mergeKernelReports } from "../kernels/kernelReport.ts";
import type { Executor, MemberTurn, TurnOutcome } from "../training/loop/executor.ts";
import { StoppedError } from "../training/loop/Gate.ts";
import type { Kinds, Slice, Standing } from "../training/loop/Workload.ts";
import type { WorkloadDefinition } from "../training/loop/WorkloadDefinition.ts";
import { ComputeClient, WorkerLostError } from "./computeClient.ts";
import type { Spawn } from "./computeProtocol.ts";

export interface WorkerExecutorOptions<K extends Kinds = Kinds> {
  readonly definition: Pick<WorkloadDefinition<K>, "standing" | "expectedWork">;
  readonly spawn: Spawn;
  /** Absolute URLs of modules that every worker imports first; none unless given. */
  readonly modules?: readonly string[];
  /** Workers to use, 1 or more; never more than there are members. */
  readonly workers: number;
  /** Told when a worker was lost and its member is trained again. */
  readonly onNotice?: (message: string) => void;
  /** A worker that is silent for so long is given up. A slice of work takes about 25 ms. */
  readonly silenceMs?: number;
}

/** Slices of the largest networks take seconds, so this is far beyond any of them. */
const SILENCE_MS = 300_000;

/** Times a member is tried, in a fresh worker each time, when its worker is lost. */
const ATTEMPTS = 2;

export class WorkerExecutor<K extends Kinds = Kinds> implements Executor<K> {
  readonly #definition: WorkerExecutorOptions<K>["definition"];
  readonly device = "wasm";
  readonly #spawn: Spawn;
  readonly #modules: readonly string[];
  readonly #silenceMs: number;
  readonly #onNotice: (message: string) => void;
  #wanted: number;
  #setup: K["setup"] | null = null;
  #standing: Standing<K> | null = null;
  #clients: ComputeClient[] = [];
  #paused = false;
  /** Ends the generation under way. */
  #cancel: ((reason: Error) => void) | null = null;

  constructor({ definition, spawn, modules = [], workers, onNotice, silenceMs }: WorkerExecutorOptions<K>) {
    this.#definition = definition;
    this.#spawn = spawn;
    this.#modules = modules;
    this.#wanted = checkWorkers(workers);
    this.#silenceMs = silenceMs ?? SILENCE_MS;
    this.#onNotice = onNotice ?? (() => undefined);
  }

  /** Workers that a generation uses. */
  get workers(): number {
    return Math.min(this.#wanted, this.#setup?.members ?? this.#wanted);
  }

  get label(): string {
    return `WASM SIMD, ${this.workers} ${this.workers === 1 ? "worker" : "workers"}`;
  }

  /** Changes the number of workers from the next generation on. @throws RangeError below 1. */
  setWorkers(workers: number): void {
    this.#wanted = checkWorkers(workers);
  }

  /** @throws Error when no worker can be started, saying why. */
  async open(setup: K["setup"]): Promise<void> {
    await this.close();
    this.#setup = setup;
    this.#standing = this.#definition.standing?.(setup) ?? null;
    this.#staff(this.workers);
    try {
      await Promise.any(this.#clients.map((client) => client.opened));
    } catch (error) {
      const [first] = error instanceof AggregateError ? error.errors : [error];
      await this.close();
      if (first instanceof StoppedError) throw first;
      throw new Error(`no compute worker could be started: ${reasonOf(first)}`, { cause: first });
    }
  }

  async generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    if (!this.#setup) throw new Error("executor: generation() before open()");
    this.#standing?.hear(news);
    for (const client of this.#clients) client.hear(news);
    this.#staff(Math.min(this.workers, turns.length));

    const generation = { ended: false };
    // The longest first: a long one begun last would leave the other workers idle at the end.
    const queue = [...turns.entries()]
      .map(([position, turn]) => ({ position, turn, work: this.#definition.expectedWork?.(turn.agent) ?? 0 }))
      .sort((a, b) => b.work - a.work);
    const outcomes: TurnOutcome<K>[] = [];
    const lane = async (place: number): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { position, turn } = next;
        outcomes[position] = await this.#turn(place, turn, generation, (slice) => {
          if (!generation.ended) onSlice(slice);
        });
      }
    };
    const cancelled = new Promise<never>((_, reject) => {
      this.#cancel = reject;
    });
    try {
      await Promise.race([cancelled, Promise.all(this.#clients.map((_, place) => lane(place)))]);
      return outcomes;
    } finally {
      generation.ended = true;
      this.#cancel = null;
    }
  }

  pause(): void {
    this.#paused = true;
    for (const client of this.#clients) client.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const client of this.#clients) client.resume();
  }

  abort(): void {
    this.#paused = false;
    for (const client of this.#clients) client.abort();
    this.#cancel?.(new StoppedError());
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return mergeKernelReports(await Promise.all(this.#clients.map((client) => client.kernels())));
  }

  /** Ends all workers; what is under way rejects with StoppedError. */
  async close(): Promise<void> {
    this.#staff(0);
    this.#cancel?.(new StoppedError());
    this.#setup = null;
    this.#standing = null;
  }

  /** One member's turn by the worker at `place`; a worker that is lost gets a successor. */
  async #turn(
    place: number,
    turn: MemberTurn<K>,
    generation: { readonly ended: boolean },
    onSlice: (slice: Slice) => void,
  ): Promise<TurnOutcome<K>> {
    const { slot } = turn.turn;
    for (let attempt = 1; ; attempt++) {
      const client = this.#living(place);
      if (!client || generation.ended) throw new StoppedError();
      let [env_steps, learn_steps] = [0, 0];
      const outcome = await client
        .turn(turn, (slice) => {
          env_steps += slice.env_steps;
          learn_steps += slice.learn_steps;
          onSlice(slice);
        })
        .catch((error: unknown): TurnOutcome => {
          if (!(error instanceof WorkerLostError)) throw error;
          return { ok: false, slot, message: error.message };
        });
      if (outcome.ok || outcome.diverged) return outcome;
      // The worker's memory may hold half a turn, so it is not used again, whatever went wrong in it.
      if (generation.ended) throw new StoppedError();
      client.end();
      this.#clients[place] = this.#newClient();
      onSlice({ env_steps: -env_steps, learn_steps: -learn_steps, slot, score: null });
      if (attempt === ATTEMPTS) {
        const message = `member ${slot} could not be trained: ${outcome.message} (tried ${ATTEMPTS} times, in a fresh worker each time)`;
        return { ok: false, slot, message, timed_out: outcome.timed_out ?? false };
      }
      this.#onNotice(
        `The compute worker of member ${slot} was lost (${outcome.message}); the member's generation runs again in a fresh worker.`,
      );
    }
  }

  /** The worker at a place. One that was lost between turns has a successor, which is nobody's second attempt. */
  #living(place: number): ComputeClient | undefined {
    const client = this.#clients[place];
    if (!client?.lostIdle) return client;
    this.#onNotice(
      `A compute worker was lost between turns (${client.lostIdle.message}); a fresh one takes its place.`,
    );
    const successor = this.#newClient();
    this.#clients[place] = successor;
    return successor;
  }

  /** Starts or ends workers until there are `count`. */
  #staff(count: number): void {
    for (const client of this.#clients.splice(count)) client.end();
    while (this.#clients.length < count) this.#clients.push(this.#newClient());
  }

  #newClient(): ComputeClient {
    if (!this.#setup) throw new StoppedError();
    const setup = this.#standing?.setup() ?? this.#setup;
    const client = new ComputeClient(this.#spawn, setup, this.#modules, this.#silenceMs);
    if (this.#paused) client.pause();
    return client;
  }
}

function checkWorkers(workers: number): number {
  if (Number.isInteger(workers) && workers >= 1) return workers;
  throw new RangeError(`workers: found ${workers}, allowed integers from 1`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
