/** Search at play: an agent looks ahead before it moves, with the policy and the value that it has learnt. */
import { type Program, state, trace } from "../../../kernels/index.ts";
import {
  type CompiledEnvironment,
  type EnvState,
  variableBuffer,
  variableShape,
} from "../../environments/definition/compiledEnvironment.ts";
import { lanes } from "../lanes.ts";
import type { AgentStructure } from "../learning.ts";
import { agentEvaluator } from "./agentEvaluator.ts";
import { gumbel } from "./gumbel.ts";
import { puct } from "./puct.ts";
import type { SearchRule } from "./SearchRule.ts";
import { type SearchResult, search } from "./search.ts";
import type { LookAhead } from "./searchSettings.ts";

/** The rule by which an agent searches, without noise: that of its self-play, else upper confidence bounds. */
function ruleOf({ algorithm, hyperparameters }: AgentStructure, simulations: number): SearchRule {
  const own = algorithm.kind === "on_policy" ? algorithm.selfPlay?.(hyperparameters) : undefined;
  if (own?.search !== "gumbel") return puct(own && { c_init: own.c_puct });
  const { max_considered, c_scale } = own;
  return gumbel({ simulations, max_considered, c_scale });
}

/**
 * What an agent finds by searching from positions of a game.
 * @param prefix Begins the names of its networks' buffers, and of those of the trees (default: none).
 * @throws RangeError for a game of chance, and for an agent without a value.
 */
export function lookAhead(
  structure: AgentStructure,
  game: CompiledEnvironment,
  from: EnvState,
  { simulations }: LookAhead,
  prefix = "",
): SearchResult {
  return search(game, agentEvaluator(structure, game, prefix), from, {
    simulations,
    rule: ruleOf(structure, simulations),
    name: `${prefix}search`,
  });
}

/** Buffers of what {@link lookAheadProgram} finds, as in {@link SearchResult}. @internal */
export const SEARCHED = {
  visits: "searched.visits",
  policy: "searched.policy",
  value: "searched.value",
  action: "searched.action",
} as const satisfies Record<keyof SearchResult, string>;

/** Searches from the positions in the buffers of the game's variables. */
export function lookAheadProgram(
  structure: AgentStructure,
  game: CompiledEnvironment,
  settings: LookAhead,
): Program {
  return trace(`${structure.algorithm.name}.search`, () => {
    const read = (name: string) => state(variableBuffer(name), [lanes, ...variableShape(game, name)]).read();
    const from = Object.fromEntries(game.variables.map((name) => [name, read(name)]));
    for (const [name, value] of Object.entries(lookAhead(structure, game, from, settings)))
      state(SEARCHED[name as keyof SearchResult], value.shape, { dtype: value.dtype }).write(value);
  });
}
