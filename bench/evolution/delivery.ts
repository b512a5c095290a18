/** Follows a run: what its members took, and which of them it would deliver after every generation. */
import type { GenerationReport } from "../../src/tracking/observer.ts";

/** A member with its fitness in one evaluation. */
interface Evaluated<A> {
  readonly agent: A;
  readonly fitness: number;
}

/** What is followed of a run. */
export interface FollowedRun<A> {
  /** The best of the final evaluation. */
  readonly champion: { readonly agent: A } | null;
  readonly state: { readonly members: readonly A[]; readonly champion?: A | null };
}

/** The fittest of some members; the last of equals. */
function fittest<A>(members: readonly Evaluated<A>[]): Evaluated<A> | null {
  let best: Evaluated<A> | null = null;
  for (const member of members)
    if (Number.isFinite(member.fitness) && (!best || member.fitness >= best.fitness)) best = member;
  return best;
}

export class Delivery<A> {
  /** Steps that members really took: a copy has its parent's steps, which nobody took again. */
  env_steps = 0;
  learn_steps = 0;
  /** Episodes in which members were evaluated. */
  evaluations = 0;
  generations = 0;
  readonly #run: FollowedRun<A>;
  readonly #most: number;
  #steps = new Map<number, number>();
  #kept: Evaluated<A> | null = null;
  #last: Evaluated<A> | null = null;

  /** @param most Steps beyond which a generation does not count. Iterations of evolution strategies are whole, and may pass the budget. */
  constructor(run: FollowedRun<A>, most = Number.POSITIVE_INFINITY) {
    this.#run = run;
    this.#most = most;
  }

  /** The member with the best fitness ever, the newest of equals: the run's own choice, if it makes one. */
  get kept(): A | null {
    return this.#run.state.champion ?? this.#kept?.agent ?? null;
  }

  /** The best member of the last generation. */
  get last(): A | null {
    return this.#last?.agent ?? null;
  }

  /** The best of the run's own final evaluation; null for a run without one. */
  get champion(): A | null {
    return this.#run.champion?.agent ?? null;
  }

  /** Call at the end of each generation, before the next one starts. @returns whether it counts. */
  add({ members, generation }: Pick<GenerationReport, "members" | "generation">): boolean {
    const taken = members.map(({ index, parent, steps }) => {
      const inherited = parent === null ? 0 : (this.#steps.get(parent) ?? 0);
      return steps - (this.#steps.get(index) ?? inherited);
    });
    const env_steps = taken.reduce((sum, steps) => sum + steps, this.env_steps);
    if (env_steps > this.#most) return false;
    this.env_steps = env_steps;
    this.generations = generation;
    for (const { learn_steps, evaluation } of members) {
      this.learn_steps += learn_steps;
      this.evaluations += evaluation?.returns.length ?? 0;
    }
    this.#steps = new Map(members.map(({ index, steps }) => [index, steps]));
    const evaluated = this.#run.state.members.map((agent, slot) => ({
      agent,
      fitness: members[slot]?.fitness ?? Number.NaN,
    }));
    this.#last = fittest(evaluated) ?? this.#last;
    this.#kept = fittest(this.#kept ? [this.#kept, ...evaluated] : evaluated);
    return true;
  }
}
