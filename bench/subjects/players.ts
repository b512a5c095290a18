/** Players of games of two, and matches between them. */
import type { SingleAgentAlgorithm } from "../../src/agents/index.ts";
import { Random } from "../../src/evolution/index.ts";
import {
  findCompiledEnvironment,
  type GamePolicy,
  type GameRules,
  type GameState,
  informationSets,
  minimaxMove,
  oneStepRule,
  SolutionTable,
  solvedActions,
} from "../../src/rl/environments.ts";

/** Chooses an action in each of several running games of one kind. */
export type Player = (rules: GameRules, states: readonly GameState[]) => readonly number[];

const each =
  (choose: (rules: GameRules, state: GameState) => number): Player =>
  (rules, states) =>
    states.map((state) => choose(rules, state));

export const randomPlayer = (random: Random): Player =>
  each((rules, state) => random.choice(rules.legal(state)));

export const oneStepPlayer = (random: Random): Player =>
  each((rules, state) => oneStepRule(rules, state, random));

export const minimaxPlayer = (depth: number, random: Random): Player =>
  each((rules, state) => minimaxMove(rules, state, depth, random));

/** Legal actions as ones, in a row for each state. */
const masksOf = ({ legal, action_space }: GameRules, states: readonly GameState[]): Float32Array => {
  const masks = new Float32Array(states.length * action_space.n);
  for (const [row, state] of states.entries())
    for (const action of legal(state)) masks[row * action_space.n + action] = 1;
  return masks;
};

/** An agent's best actions. */
export const agentPlayer =
  (agent: SingleAgentAlgorithm): Player =>
  (rules, states) => {
    const seen = Float32Array.from(states.flatMap((state) => rules.observe(state, rules.player(state))));
    const action_mask = masksOf(rules, states);
    return Array.from(
      agent.getAction(seen, { training: false, action_mask, num_envs: states.length }) as ArrayLike<number>,
    );
  };

/** An agent's best actions after a search. */
export const searchingPlayer =
  (agent: SingleAgentAlgorithm, simulations: number): Player =>
  (rules, states) =>
    agent.search(rules.id, states, { simulations }).map(({ action }) => action);

/**
 * The share of positions of Connect Four, reached by random moves and with at least `stones`, in which a player takes a move
 * that the solver finds best. Positions in which all moves are equally good do not count.
 */
export function solvedShare(
  player: Player,
  { positions, stones, seed }: { readonly positions: number; readonly stones: number; readonly seed: number },
): number {
  const { rules } = findCompiledEnvironment("rlkit/ConnectFour").game ?? {};
  if (!rules) throw new TypeError("rlkit/ConnectFour: is a game");
  const random = new Random({ seed, stream: "positions" });
  const table = new SolutionTable();
  const found: { readonly state: GameState; readonly best: readonly number[] }[] = [];
  while (found.length < positions) {
    let state = rules.start;
    const moves = stones + random.integer(12);
    for (let move = 0; move < moves && !rules.returns(state); move++)
      state = rules.next(state, random.choice(rules.legal(state)));
    if (rules.returns(state)) continue;
    const values = solvedActions(state, table);
    const most = Math.max(...values.values());
    const best = [...values].flatMap(([action, value]) => (value === most ? [action] : []));
    if (best.length < values.size) found.push({ state, best });
  }
  const actions = player(
    rules,
    found.map(({ state }) => state),
  );
  return found.filter(({ best }, i) => best.includes(actions[i] ?? -1)).length / positions;
}

export interface MatchOptions {
  readonly games: number;
  readonly seed: number;
  /** Random moves that games begin with, so that players who choose alike do not repeat a game (default: 0). */
  readonly opening?: number;
}

/** The share of points of `player` against `opponent`, a draw half a point. Each has the first move in half of the games. */
export function pointsAgainst(
  rules: GameRules,
  player: Player,
  opponent: Player,
  { games, seed, opening = 0 }: MatchOptions,
): number {
  const random = new Random({ seed, stream: "match" });
  const anyone = randomPlayer(random);
  let running = Array.from({ length: games }, (_, game) => ({
    seat: game % 2,
    state: rules.start,
    moves: 0,
  }));
  let points = 0;
  while (running.length > 0) {
    const groups = new Map<Player, typeof running>();
    for (const game of running) {
      const turn = rules.player(game.state) === game.seat ? player : opponent;
      const mover = game.moves < opening ? anyone : turn;
      groups.set(mover, [...(groups.get(mover) ?? []), game]);
    }
    for (const [mover, own] of groups) {
      const actions = mover(
        rules,
        own.map(({ state }) => state),
      );
      for (const [i, game] of own.entries()) {
        game.state = rules.next(game.state, actions[i] as number);
        game.moves++;
      }
    }
    for (const { state, seat } of running) {
      const returns = rules.returns(state);
      if (returns) points += ((returns[seat] ?? 0) / (rules.max_return ?? 1) + 1) / 2;
    }
    running = running.filter(({ state }) => rules.returns(state) === null);
  }
  return points / games;
}

/** The best moves of a player who searches to the end of the game. */
export function perfectReplies(rules: GameRules): (state: GameState) => readonly number[] {
  const values = new Map<string, number>();
  /** What the first player gets. */
  const valueOf = (state: GameState): number => {
    const key = state.join();
    const known = values.get(key);
    if (known !== undefined) return known;
    const sign = 1 - 2 * rules.player(state);
    const value =
      rules.returns(state)?.[0] ??
      sign * Math.max(...rules.legal(state).map((action) => sign * valueOf(rules.next(state, action))));
    values.set(key, value);
    return value;
  };
  return (state) =>
    rules.legal(state).filter((action) => valueOf(rules.next(state, action)) === valueOf(state));
}

/**
 * Lines in which a player loses, if its opponent tries each of its replies: 0 lost lines are a player that never loses
 * against it. For games whose tree is small.
 */
export function lostLines(
  rules: GameRules,
  player: Player,
  replies: (state: GameState) => readonly number[] = rules.legal,
): number {
  let lost = 0;
  for (const seat of rules.players.keys()) {
    let front: readonly GameState[] = [rules.start];
    while (front.length > 0) {
      const own = front.filter((state) => rules.player(state) === seat);
      const actions = own.length > 0 ? player(rules, own) : [];
      const next = [
        ...own.map((state, i) => rules.next(state, actions[i] as number)),
        ...front
          .filter((state) => rules.player(state) !== seat)
          .flatMap((state) => replies(state).map((action) => rules.next(state, action))),
      ];
      for (const state of next) {
        const returns = rules.returns(state);
        if (returns && (returns[seat] ?? 0) < 0) lost++;
      }
      front = next.filter((state) => rules.returns(state) === null);
    }
  }
  return lost;
}

/** The policy of an agent with a network of logits, in a small game with hidden information. */
export function exactPolicy(rules: GameRules, agent: SingleAgentAlgorithm): GamePolicy {
  const { n } = rules.action_space;
  const sets = informationSets(rules);
  const { arena } = agent.session.open(["policy"], { num_envs: sets.length, batch: sets.length });
  arena.write(
    "observation",
    sets.flatMap(({ observation }) => observation),
  );
  arena.write(
    "action_mask",
    sets.flatMap(({ legal }) => Array.from({ length: n }, (_, action) => Number(legal.includes(action)))),
  );
  agent.session.run("policy");
  const logits = arena.read("logits");
  const known = new Map(
    sets.map(({ player, observation, legal }, row) => {
      const weights = legal.map((action) => Math.exp(logits[row * n + action] ?? Number.NaN));
      const sum = weights.reduce((all, weight) => all + weight, 0);
      return [`${player}:${observation.join()}`, weights.map((weight) => weight / sum)] as const;
    }),
  );
  return (observation, _legal, player) => known.get(`${player}:${observation.join()}`) ?? [];
}
