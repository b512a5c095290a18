/** Trains one contender in one task with one seed, and scores the agent that it would deliver at every generation. */
import { DivergedError } from "../../src/evolution/members.ts";
import type { ObserverOption } from "../../src/tracking/observer.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { Judge } from "../subjects/judge.ts";
import { BUDGET_ERROR } from "./budget.ts";
import { Delivery, type FollowedRun } from "./delivery.ts";
import { LanguageJudge } from "./languageJudge.ts";
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

/** Runs whose final evaluation chooses a champion tell how many episodes that took. */
interface ChampionTold {
  readonly event: string;
  readonly episodes?: number;
  readonly candidates?: number;
}

/** A member as the bench sees it. */
interface Member {
  readonly hyperparameters: Readonly<Record<string, unknown>>;
}

interface Scorer<A> {
  /** Mean return of a task's episodes. */
  score(agent: A): number | Promise<number>;
}

/** @throws SpecError for a manifest that this version of rlkit does not accept. */
export async function measure(task: EvolutionTask, recipe: Recipe, seed: number): Promise<Outcome> {
  const { environment, episodes = EPISODES } = task;
  // Draws of the score, and of the choice between two members.
  const judges = [2 * seed, 2 * seed + 1] as const;
  if (task.family === "language models")
    return measureWith(
      task,
      recipe,
      seed,
      await LanguageJudge.in(task, episodes, judges[0]),
      await LanguageJudge.in(task, AGAIN, judges[1]),
    );
  return measureWith(
    task,
    recipe,
    seed,
    await Judge.in(environment, episodes, judges[0]),
    await Judge.in(environment, AGAIN, judges[1]),
  );
}

async function measureWith<A extends Member>(
  task: EvolutionTask,
  recipe: Recipe,
  seed: number,
  judge: Scorer<A>,
  again: Scorer<A>,
): Promise<Outcome> {
  const scores = new Map<A, number>();
  const score = async (agent: A | null): Promise<number> => {
    if (!agent) return 0;
    const known = scores.get(agent) ?? scoreOf(task, await judge.score(agent));
    scores.set(agent, known);
    return known;
  };
  // As text, which may have fields that this version's types do not know.
  const manifest = JSON.stringify(manifestOf(task, recipe));
  const trainer = await LocalTrainer.fromManifest(manifest, { device: "cpu", seed });
  const processor = process.cpuUsage();
  const wall = performance.now();
  const offered: [number, A | null][] = [];
  let delivery: Delivery<A> | null = null;
  let final_evaluations = 0;
  const observer: ObserverOption = (event) => {
    const told = event as ChampionTold;
    if (told.event === "champion") final_evaluations += (told.episodes ?? 0) * (told.candidates ?? 0);
    if (event.event !== "generation" || !delivery) return;
    // Language models report iterations without an evaluation too; the bench's generations end with one.
    if (event.members.every(({ evaluation, fitness }) => !evaluation && !Number.isFinite(fitness))) return;
    if (delivery.add(event)) offered.push([delivery.env_steps, delivery.kept]);
  };
  let failure: string | undefined;
  try {
    await trainer.train({
      verbose: false,
      onRun: (run) => {
        // The task's family tells the type of members.
        delivery = new Delivery(run as unknown as FollowedRun<A>, task.budget * (1 + BUDGET_ERROR));
      },
      observer,
    });
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
    failure = error.message;
  }
  const { user, system } = process.cpuUsage(processor);
  const wall_s = (performance.now() - wall) / 1e3;
  // The compiler does not see that `onRun` set it.
  const followed = delivery as Delivery<A> | null;
  if (!followed) throw new Error(`${task.name}: the trainer told of no run`);
  const curve: [number, number][] = [];
  for (const [steps, agent] of offered) curve.push([steps, await score(agent)]);
  const { champion, kept, last, env_steps, learn_steps, evaluations, generations } = followed;
  const isOpen = !champion && kept && last && kept !== last;
  const delivered =
    champion ?? (isOpen && (await again.score(last)) > (await again.score(kept)) ? last : kept);
  return {
    task: task.name,
    recipe: recipe.name,
    seed,
    digest: digestOf(task, recipe),
    env_steps,
    learn_steps,
    evaluations: evaluations + final_evaluations + (isOpen ? 2 * AGAIN : 0),
    generations,
    processor_s: (user + system) / 1e6,
    wall_s,
    curve,
    delivered: await score(delivered),
    final: await score(last),
    kept: curve.at(-1)?.[1] ?? 0,
    area: areaOf(curve, task.budget),
    steps_to_target: curve.find(([, value]) => value >= 1)?.[0] ?? null,
    hyperparameters: Object.fromEntries(
      Object.keys(task.searched).map((name) => [name, delivered?.hyperparameters[name]]),
    ),
    ...(failure !== undefined && { failure }),
  };
}
