/** Opponents of a turn in a game: who they are, and what programs against them need. */
import type { Binding } from "../../kernels/index.ts";
import type { CompiledEnvironment } from "../../rl/environments.ts";
import { bindNetwork } from "../../rl/networks.ts";
import {
  type LookAhead,
  networkDims,
  OPPONENT,
  type RuleName,
  type VersusOptions,
  versus,
} from "../../rl/programs.ts";
import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";
import type { Contents } from "./agentBuffers.ts";
import { agentKey, structureOf } from "./programSet.ts";

/** Who plays the other seat: the member itself as it learns, an agent as it is (`id` names it in results), or a rule. */
export type Opponent =
  | { readonly kind: "self" }
  | { readonly kind: "agent"; readonly id: string; readonly agent: AgentState }
  | { readonly kind: RuleName };

export interface Opponents {
  /**
   * Those of the training, one after another, each for an equal part of the turn. Agents among them have networks of one
   * shape. None for a member that plays both seats itself.
   */
  readonly training: readonly Opponent[];
  /** How games of the training begin, and how they are learnt. */
  readonly games?: Pick<VersusOptions, "opening_moves" | "symmetries">;
  /** Those of the evaluation: `eval_loop` passes against each. */
  readonly evaluation: readonly Opponent[];
  /** How the member, and agents that it meets, search in the evaluation (default: they do not). */
  readonly search?: LookAhead;
}

/** Episodes of an evaluation against one opponent. */
export interface Match {
  readonly opponent: string;
  /** What the member got in each game. */
  readonly returns: readonly number[];
}

/** Name of an opponent in results. */
export const opponentId = (opponent: Opponent): string =>
  opponent.kind === "agent" ? opponent.id : opponent.kind;

/** The part of a turn, 0-based, in which a step is, if it is cut into parts of equal length. */
export const partAt = (step: number, length: number, parts: number): number =>
  Math.floor((step * parts) / length);

/** Symbols of an opponent's widths. */
function widthsOf(opponent: Opponent): Binding {
  if (opponent.kind !== "agent") return {};
  const { agent } = opponent;
  const algorithm = algorithmOf(agent);
  const bound = Object.entries(agent.networks).map(([name, { data }]) => {
    const { dims, latent } = networkDims(algorithm, name);
    return bindNetwork(data, {
      dims: `${OPPONENT}${dims}`,
      ...(latent !== undefined && { latent: `${OPPONENT}${latent}` }),
    });
  });
  return Object.assign({}, ...bound) as Binding;
}

/** Two agents of one shape can follow each other in one program's buffers. */
export const shapeOf = (opponent: Opponent): string =>
  opponent.kind === "agent" ? `${agentKey(opponent.agent)} ${JSON.stringify(widthsOf(opponent))}` : "";

/** Symbols of the widths of those opponents that are agents. */
export const bindOpponents = (opponents: readonly Opponent[]): Binding =>
  Object.assign({}, ...opponents.map(widthsOf)) as Binding;

/** The weights of an opponent's networks by the names of its buffers. */
export function opponentContents(opponent: Opponent): Contents {
  const contents = new Map<string, ArrayLike<number>>();
  if (opponent.kind !== "agent") return contents;
  for (const [name, { tensors }] of Object.entries(opponent.agent.networks))
    for (const [tensor, values] of Object.entries(tensors))
      contents.set(`${OPPONENT}${name}.${tensor}`, values);
  return contents;
}

/** Environments against opponents, by game; equal ones are one object, so that their programs are traced once. */
const made = new WeakMap<CompiledEnvironment, Map<string, CompiledEnvironment>>();

/** The opening that shows all openings, in games whose beginning is the same each time. */
const openingOf = ({ resetDraws, stepDraws }: CompiledEnvironment) =>
  resetDraws + stepDraws === 0 ? "random" : "played";

/**
 * The game against an opponent as an environment of the member.
 * @param games How games of the training begin; null for an evaluation, in which the opponent plays its first move, too.
 * @param search How an opponent that is an agent searches (default: it plays its policy).
 * @internal
 */
export function environmentAgainst(
  env: CompiledEnvironment,
  opponent: Opponent,
  agent: AgentState,
  games: NonNullable<Opponents["games"]> | null,
  search?: LookAhead,
): CompiledEnvironment {
  const mover = opponent.kind === "agent" ? opponent.agent : agent;
  const isRule = opponent.kind !== "agent" && opponent.kind !== "self";
  const options: VersusOptions = games ? { opening: openingOf(env), ...games } : {};
  const thinks = search && !isRule ? { search } : {};
  const key = JSON.stringify([opponent.kind, options, isRule ? "" : agentKey(mover), thinks]);
  const known = made.get(env) ?? new Map<string, CompiledEnvironment>();
  made.set(env, known);
  const found =
    known.get(key) ??
    versus(
      env,
      isRule ? { kind: opponent.kind } : { kind: opponent.kind, structure: structureOf(mover), ...thinks },
      options,
    );
  known.set(key, found);
  return found;
}
