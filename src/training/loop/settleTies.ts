/** Evaluates members again between which near ties would decide what selection does. */
import { fitnessError, withFitness } from "../../evolution/members.ts";
import type { TurnOutcome } from "./executor.ts";
import type { RunParts } from "./TrainingRun.ts";
import type { Kinds, ResultOf, RunState, Workload } from "./Workload.ts";

type Outcomes<K extends Kinds> = readonly (TurnOutcome<K> | null)[];

/**
 * The outcomes of a generation, where members that are nearly tied are evaluated over `tie_episodes` more
 * episodes. Their fitness is the mean of all episodes, before they are judged. The evaluation depends only on the members, so any number
 * of workers gives the same bits.
 * @param outcomes Outcomes by slot; null for members that rest.
 * @param state The state at the start of the generation.
 * @throws StoppedError after abort.
 */
export async function settleTies<K extends Kinds>(
  outcomes: Outcomes<K>,
  state: RunState<K>,
  { plan, selection, mutation, workload, executor }: RunParts<K>,
): Promise<Outcomes<K>> {
  const { tie_episodes = 0, evolve_every = 1 } = plan;
  const generation = state.generation + 1;
  if (tie_episodes === 0 || !mutation || generation % evolve_every !== 0) return outcomes;
  const results = judged(outcomes, state, workload).map((outcome) => (outcome?.ok ? outcome.result : null));
  const slots =
    selection?.contested?.(
      results.map((result) => result?.agent ?? { fitness: [Number.NaN] }),
      results.map((result) => fitnessError(result?.evaluation)),
      { generation, resting: state.resting ?? [] },
    ) ?? [];
  const turns = slots.flatMap((slot) => {
    const agent = results[slot]?.agent;
    const turn = agent && workload.evaluation?.(agent, slot, state, tie_episodes, "again");
    return agent && turn ? [{ agent, turn }] : [];
  });
  if (turns.length === 0) return outcomes;
  const again = await executor.generation(turns, [], () => undefined);
  return outcomes.map((outcome, slot) => {
    const second = again[turns.findIndex(({ turn }) => turn.slot === slot)];
    if (!outcome?.ok || !second) return outcome;
    return second.ok ? { ...outcome, result: averaged(outcome.result, second.result) } : second;
  });
}

/** Outcomes with the fitness that ranks their members. */
export function judged<K extends Kinds>(
  outcomes: Outcomes<K>,
  state: RunState<K>,
  workload: Pick<Workload<K>, "judged">,
): Outcomes<K> {
  const results = outcomes.map((outcome) => (outcome?.ok ? outcome.result : null));
  const ranked = workload.judged?.(state, results) ?? results;
  return outcomes.map((outcome, place) => {
    const result = ranked[place];
    return outcome?.ok && result ? { ...outcome, result } : outcome;
  });
}

/** The games of both, by opponent. */
const joined = (first: NonNullable<ResultOf["matches"]>, second: ResultOf["matches"] = []) =>
  first.map(({ opponent, returns }) => {
    const more = second.find((match) => match.opponent === opponent);
    return { opponent, returns: [...returns, ...(more?.returns ?? [])] };
  });

/** A result whose evaluation has the episodes of both. */
function averaged<R extends ResultOf>(first: R, second: R): R {
  const [one, other] = [first.evaluation, second.evaluation];
  if (!one || !other) return first;
  const share = other.returns.length / (one.returns.length + other.returns.length);
  const mean = (a: number, b: number): number => a + (b - a) * share;
  const fitness = mean(first.fitness, second.fitness);
  const { agent_fitness: parts } = second;
  const agent_fitness =
    first.agent_fitness &&
    parts &&
    Object.fromEntries(
      Object.entries(first.agent_fitness).map(([id, value]) => [id, mean(value, parts[id] ?? value)]),
    );
  const each = agent_fitness ? { agent_fitness } : {};
  return {
    ...first,
    agent: { ...first.agent, fitness: withFitness(first.agent.fitness.slice(0, -1), fitness), ...each },
    fitness,
    ...each,
    ...(first.matches && { matches: joined(first.matches, second.matches) }),
    evaluation: {
      returns: [...one.returns, ...other.returns],
      lengths: [...one.lengths, ...other.lengths],
    },
  };
}
