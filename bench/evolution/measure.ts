/** Trains one contender in one task with one seed, and scores the agent that it would deliver at every generation. */
import type { AgentState } from "../../src/agents/members.ts";
import { DivergedError } from "../../src/evolution/members.ts";
import type { ObserverOption } from "../../src/tracking/observer.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { Judge } from "../subjects/judge.ts";
import { Delivery } from "./delivery.ts";
import { manifestOf, type Recipe } from "./recipes.ts";
import { digestOf, type Job } from "./results.ts";
import { type EvolutionTask, scoreOf } from "./tasks.ts";

/** Greedy episodes of a score. */
const EPISODES = 50;
/** Greedy episodes that choose between the best member ever and the best of the last generation. */
const AGAIN = 30;

/** One run, as a line of the results file. */
export interface Outcome extends Job {
  /** Environment steps of all members. */
  readonly env_steps: number;
  readonly learn_steps: number;
  /** Episodes in which the run evaluated its members. */
  readonly evaluations: number;
  readonly generations: number;
  /** Processor time of training, without the bench's own episodes. */
  readonly processor_s: number;
  readonly wall_s: number;
  /** Environment steps so far, and the score of the member that would be delivered then. */
  readonly curve: readonly (readonly [steps: number, score: number])[];
  /** Score of the delivered member. */
  readonly delivered: number;
  /** Score of the last generation's best member. */
  readonly final: number;
  /** Score of the member with the best fitness ever. */
  readonly kept: number;
  /** Area under the running maximum of the curve, as a fraction of the budget. */
  readonly area: number;
  /** Environment steps until the running maximum reached 1; null if it never did. */
  readonly steps_to_target: number | null;
  /** Searched hyperparameters of the delivered member. */
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  /** Why the run ended early, if it did. */
  readonly failure?: string;
}

/** Area under the running maximum of a step function that starts at 0, divided by `budget`. */
export function areaOf(curve: Outcome["curve"], budget: number): number {
  let area = 0;
  let best = 0;
  for (const [i, [steps, score]] of curve.entries()) {
    best = Math.max(best, score);
    const until = Math.min(budget, curve[i + 1]?.[0] ?? budget);
    area += best * Math.max(0, until - Math.min(steps, budget));
  }
  return area / budget;
}

/** Processor and wall time, with intervals that do not count. */
class Stopwatch {
  readonly #start = process.cpuUsage();
  readonly #wall = performance.now();
  #left = { processor: 0, wall: 0 };

  without<T>(work: () => T): T {
    const before = this.#total();
    const result = work();
    const after = this.#total();
    this.#left = {
      processor: this.#left.processor + after.processor - before.processor,
      wall: this.#left.wall + after.wall - before.wall,
    };
    return result;
  }

  #total() {
    const { user, system } = process.cpuUsage(this.#start);
    return { processor: (user + system) / 1e6, wall: (performance.now() - this.#wall) / 1e3 };
  }

  read() {
    const { processor, wall } = this.#total();
    return { processor_s: processor - this.#left.processor, wall_s: wall - this.#left.wall };
  }
}

/** Runs whose final evaluation chooses a champion tell how many episodes that took. */
interface ChampionTold {
  readonly event: string;
  readonly episodes?: number;
  readonly candidates?: number;
}

/** @throws SpecError for a manifest that this version of rlkit does not accept. */
export async function measure(task: EvolutionTask, recipe: Recipe, seed: number): Promise<Outcome> {
  const judge = await Judge.in(task.environment, task.episodes ?? EPISODES, 2 * seed);
  const again = await Judge.in(task.environment, AGAIN, 2 * seed + 1);
  const scores = new Map<AgentState, number>();
  const score = (agent: AgentState | null): number => {
    if (!agent) return 0;
    const known = scores.get(agent) ?? scoreOf(task, judge.score(agent));
    scores.set(agent, known);
    return known;
  };
  // As text, which may have fields that this version's types do not know.
  const manifest = JSON.stringify(manifestOf(task, recipe));
  const trainer = await LocalTrainer.fromManifest(manifest, { device: "cpu", seed });
  const watch = new Stopwatch();
  const curve: [number, number][] = [];
  let delivery: Delivery | null = null;
  let final_evaluations = 0;
  const observer: ObserverOption = (event) => {
    const told: ChampionTold = event;
    if (told.event === "champion") final_evaluations += (told.episodes ?? 0) * (told.candidates ?? 0);
    if (event.event !== "generation" || !delivery) return;
    delivery.add(event);
    const { env_steps, kept } = delivery;
    watch.without(() => curve.push([env_steps, score(kept)]));
  };
  let failure: string | undefined;
  try {
    await trainer.train({
      verbose: false,
      onRun: (run) => {
        delivery = new Delivery(run);
      },
      observer,
    });
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    failure = error.message;
  }
  const times = watch.read();
  // The compiler does not see that `onRun` set it.
  const followed = delivery as Delivery | null;
  if (!followed) throw new Error(`${task.name}: the trainer told of no run`);
  const { champion, kept, last, env_steps, learn_steps, evaluations, generations } = followed;
  const isOpen = !champion && kept && last && kept !== last;
  const delivered = champion ?? (isOpen && again.score(last) > again.score(kept) ? last : kept);
  return {
    task: task.name,
    recipe: recipe.name,
    seed,
    digest: digestOf(task, recipe),
    env_steps,
    learn_steps,
    evaluations: evaluations + final_evaluations + (isOpen ? 2 * AGAIN : 0),
    generations,
    ...times,
    curve,
    delivered: score(delivered),
    final: score(last),
    kept: curve.at(-1)?.[1] ?? 0,
    area: areaOf(curve, task.budget),
    steps_to_target: curve.find(([, value]) => value >= 1)?.[0] ?? null,
    hyperparameters: Object.fromEntries(
      Object.keys(task.searched).map((name) => [name, delivered?.hyperparameters[name]]),
    ),
    ...(failure !== undefined && { failure }),
  };
}
