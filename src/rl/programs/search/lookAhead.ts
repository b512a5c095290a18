/** Search at play: an agent looks ahead before it moves, with the policy and the value that it has learnt. */
import { type Program, state, type Tensor, trace } from "../../../kernels/index.ts";
import { legalActions } from "../../contract/choices.ts";
import {
  type CompiledEnvironment,
  type EnvState,
  variableBuffer,
  variableShape,
} from "../../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../../spaces.ts";
import { lanes } from "../lanes.ts";
import type { AgentStructure } from "../learning.ts";
import { agentEvaluator, agentJudge } from "./agentEvaluator.ts";
import { gumbel } from "./gumbel.ts";
import type { HostRule } from "./HostTree.ts";
import { hostGumbel, hostPuct } from "./hostRules.ts";
import { puct } from "./puct.ts";
import { type SearchResult, search } from "./search.ts";
import type { LookAhead } from "./searchSettings.ts";

/** Makes rules of either kind. */
interface Rules<Rule> {
  readonly puct: (options?: { readonly c_init: number }) => Rule;
  readonly gumbel: (
    options: LookAhead & { readonly max_considered: number; readonly c_scale: number },
  ) => Rule;
}

/** The rule by which an agent searches, without noise: that of its self-play, else upper confidence bounds. */
function ruleOf<Rule>(
  { algorithm, hyperparameters }: AgentStructure,
  simulations: number,
  rules: Rules<Rule>,
): Rule {
  const own = algorithm.kind === "on_policy" ? algorithm.selfPlay?.(hyperparameters) : undefined;
  if (own?.search !== "gumbel") return rules.puct(own && { c_init: own.c_puct });
  const { max_considered, c_scale } = own;
  return rules.gumbel({ simulations, max_considered, c_scale });
}

/** The same rule for games that the host steps. */
export const hostRuleOf = (structure: AgentStructure, simulations: number): HostRule =>
  ruleOf<HostRule>(structure, simulations, { puct: hostPuct, gumbel: hostGumbel });

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
    rule: ruleOf(structure, simulations, { puct, gumbel }),
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

/** Buffers of what {@link judgeProgram} finds, as in `Evaluated`. */
export const JUDGED = { logits: "judged.logits", value: "judged.value" } as const;

/** Judges `act.obs`, where `act.mask` says which actions are legal, for searches of the host. */
export function judgeProgram(structure: AgentStructure, layout: AgentSpaces): Program {
  return trace(`${structure.algorithm.name}.judge`, () => {
    const seen = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    // Discrete actions have a mask.
    const found = agentJudge(structure, layout)(seen, () => legalActions(layout, lanes) as Tensor);
    for (const [name, value] of Object.entries(found))
      state(JUDGED[name as keyof typeof JUDGED], value.shape).write(value);
  });
}
