/** Sequential halving (Karnin et al. 2013, "Almost optimal exploration in multi-armed bandits"). */
import {
  add,
  cast,
  div,
  equal,
  floor,
  greater,
  maximum,
  minimum,
  mul,
  select,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";

/**
 * Which of a root's actions is tried next, in each lane: one of those that were tried as often as {@link Halving.visits}
 * says. All considered actions are tried equally often in a phase; the better half of them is considered in the next.
 */
export class Halving {
  readonly #simulations: number;
  readonly #max_considered: number;

  constructor(simulations: number, max_considered: number) {
    this.#simulations = simulations;
    this.#max_considered = max_considered;
  }

  /**
   * Carried values of the first simulation, f32 [n] each: actions considered, rounds left in the phase, actions left in
   * the round, visits of those, phases. @param legal 1 for legal actions, f32 [n, actions].
   */
  start(legal: Tensor): readonly Tensor[] {
    const considered = maximum(minimum(sum(legal), this.#max_considered), 1);
    const powers = Array.from({ length: 30 }, (_, i) => 1 << i).filter(
      (power) => power < this.#max_considered,
    );
    const phases = powers.reduce(
      (count, power) => add(count, cast(greater(considered, power), "f32")),
      zeros(considered.shape),
    );
    return [considered, this.#rounds(considered, phases), considered, zeros(considered.shape), phases];
  }

  /** Rounds of a phase: its part of the simulations, at least one round. */
  #rounds(considered: Tensor, phases: Tensor): Tensor {
    // Half a simulation more keeps the quotient above the whole number that it is, however it is rounded.
    const share = div(this.#simulations + 0.5, maximum(mul(phases, considered), 1));
    return maximum(floor(share), 1);
  }

  visits(carried: readonly Tensor[]): Tensor {
    return carried[3] as Tensor;
  }

  /** Carried values of the next simulation. */
  next(carried: readonly Tensor[]): readonly Tensor[] {
    const [considered, rounds, left, visits, phases] = carried as [Tensor, Tensor, Tensor, Tensor, Tensor];
    const endsRound = equal(left, 1);
    const roundsLeft = select(endsRound, sub(rounds, 1), rounds);
    const endsPhase = equal(roundsLeft, 0);
    const half = select(endsPhase, maximum(floor(mul(considered, 0.5)), 2), considered);
    return [
      half,
      select(endsPhase, this.#rounds(half, phases), roundsLeft),
      select(endsRound, half, sub(left, 1)),
      select(endsRound, add(visits, 1), visits),
      phases,
    ];
  }
}
