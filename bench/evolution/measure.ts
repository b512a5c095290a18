/** Trains one contender in one task with one seed, and scores the agent that it would deliver at every generation. */
import type { AgentState } from "../../src/agents/members.ts";
import { DivergedError } from "../../src/evolution/members.ts";
import type { GenerationReport } from "../../src/tracking/observer.ts";
import { LocalTrainer, type TrainingRun } from "../../src/training/index.ts";
import type { RlKinds } from "../../src/training/workloads.ts";
import { Judge } from "../subjects/judge.ts";
import { manifestOf, type Recipe } from "./recipes.ts";
import { type EvolutionTask, scoreOf } from "./tasks.ts";

/** Greedy episodes of a score. */
const EPISODES = 50;
/** Greedy episodes that choose between the best member ever and the best of the last generation. */
const AGAIN = 30;

/** One run, as a line of the results file. */
export interface Outcome {
  readonly task: string;
  readonly recipe: string;
  readonly seed: number;
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

/** A member with the fitness of its last evaluation. */
interface Evaluated {
  readonly agent: AgentState;
  readonly fitness: number;
}

/** The fittest of some members; the last of equals. */
function fittest(members: readonly Evaluated[]): Evaluated | null {
  let best: Evaluated | null = null;
  for (const member of members)
    if (Number.isFinite(member.fitness) && (!best || member.fitness >= best.fitness)) best = member;
  return best;
}

/** The member that the trainer itself delivers; null for a trainer that chooses none. */
function championOf(trainer: object): AgentState | null {
  const { champion } = trainer as { readonly champion?: { readonly state?: AgentState } | null };
  return champion?.state ?? null;
}

export async function measure(task: EvolutionTask, recipe: Recipe, seed: number): Promise<Outcome> {
  const judge = await Judge.in(task.environment, task.episodes ?? EPISODES, 2 * seed);
  const again = await Judge.in(task.environment, AGAIN, 2 * seed + 1);
  const score = ({ agent }: Evaluated): number => scoreOf(task, judge.score(agent));
  // The library takes manifests of newer and older versions as text.
  const trainer = await LocalTrainer.fromManifest(JSON.stringify(manifestOf(task, recipe)), {
    device: "cpu",
    seed,
  });
  const watch = new Stopwatch();
  let run: TrainingRun<RlKinds> | null = null;
  let kept: Evaluated | null = null;
  let last: Evaluated | null = null;
  let current = 0;
  let [env_steps, learn_steps, evaluations, generations] = [0, 0, 0, 0];
  const curve: [number, number][] = [];
  const onGeneration = (report: GenerationReport): void => {
    env_steps = report.global_step;
    generations = report.generation;
    for (const member of report.members) {
      learn_steps += member.learn_steps;
      evaluations += member.evaluation?.returns.length ?? 0;
    }
    const members = (run?.state.members ?? []).map((agent, slot) => ({
      agent,
      fitness: report.members[slot]?.fitness ?? Number.NaN,
    }));
    last = fittest(members) ?? last;
    const best = fittest(kept ? [kept, ...members] : members);
    if (best && best !== kept) {
      kept = best;
      current = score(best);
    }
    curve.push([env_steps, current]);
  };
  let failure: string | undefined;
  try {
    await trainer.train({
      verbose: false,
      onRun: (started) => {
        run = started;
      },
      observer: (event) => {
        if (event.event === "generation") watch.without(() => onGeneration(event));
      },
    });
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    failure = error.message;
  }
  const times = watch.read();
  const delivered = deliveredOf({ champion: championOf(trainer), kept, last }, again);
  const results = { delivered, final: last, kept };
  const scores = Object.fromEntries(
    Object.entries(results).map(([name, member]) => [name, member ? score(member) : 0]),
  ) as Record<keyof typeof results, number>;
  let reached: number | null = null;
  for (const [steps, value] of curve) if (value >= 1) reached ??= steps;
  const { hyperparameters = {} } = delivered?.agent ?? {};
  return {
    task: task.name,
    recipe: recipe.name,
    seed,
    env_steps,
    learn_steps,
    evaluations,
    generations,
    ...times,
    curve,
    ...scores,
    area: areaOf(curve, task.budget),
    steps_to_target: reached,
    hyperparameters: Object.fromEntries(
      Object.keys(task.searched).map((name) => [name, hyperparameters[name]]),
    ),
    ...(failure !== undefined && { failure }),
  };
}

/** The trainer's champion; else the better of the best ever and the best of the last generation, played again. */
function deliveredOf(
  {
    champion,
    kept,
    last,
  }: {
    readonly champion: AgentState | null;
    readonly kept: Evaluated | null;
    readonly last: Evaluated | null;
  },
  again: Judge,
): Evaluated | null {
  if (champion) return { agent: champion, fitness: Number.NaN };
  if (!kept || !last || kept.agent === last.agent) return kept;
  return again.score(last.agent) > again.score(kept.agent) ? last : kept;
}
