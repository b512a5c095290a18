/** An agent's view of positions in a game of choices: the move it would make, how it rates all of them, what it expects. */
import {
  AgentSession,
  type AgentState,
  GameSearch,
  requireOwnSpaces,
  type SearchedPosition,
  searchOnHost,
  structureOf,
} from "../agents/members.ts";
import { WasmDevice } from "../kernels/devices.ts";
import {
  type CompiledEnvironment,
  findEnvironment,
  isCompiled,
  loadEnvironment,
} from "../rl/environments.ts";
import { hasValue } from "../rl/programs.ts";
import { type AgentSpaces, spaceFromJson } from "../rl/spaces.ts";
import { environmentOfModule, type SandboxedEnvironment, sandboxedLanes } from "../sandbox/environments.ts";
import { decodeKeptAgent } from "../training/files.ts";
import type { Advice, Player, Question } from "./stageProtocol.ts";

/** Probabilities of legal actions; null for others. */
function probabilities(logits: readonly number[], isLegal: (action: number) => boolean): (number | null)[] {
  const best = Math.max(...logits.filter((_logit, action) => isLegal(action)));
  const weights = logits.map((logit, action) => (isLegal(action) ? Math.exp(logit - best) : 0));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight, action) => (isLegal(action) ? weight / sum : null));
}

export class Adviser {
  readonly #session: AgentSession;
  readonly #hasValue: boolean;
  readonly #agent: AgentState;
  readonly #game: CompiledEnvironment | null;
  readonly #open: (() => Promise<SandboxedEnvironment>) | null;
  /** A lane of a game in code, in which its searches take their steps. */
  #lane: Promise<SandboxedEnvironment> | null = null;
  readonly #device = new WasmDevice();
  /** The agent's searches by their simulations. */
  readonly #searches = new Map<number, GameSearch>();

  /**
   * Compiles the agent's programs.
   * @param game Where it can search (default: nowhere).
   * @param open Opens a lane of a game in code whose positions can be copied (default: it is none).
   */
  constructor(
    { observation_space, action_space }: AgentSpaces,
    agent: AgentState,
    game: CompiledEnvironment | null = null,
    open: (() => Promise<SandboxedEnvironment>) | null = null,
  ) {
    this.#agent = agent;
    this.#game = game;
    this.#open = open;
    // Greedy actions use no random numbers, so any seed will do.
    this.#session = new AgentSession(this.#device, { observation_space, action_space }, agent, 0);
    this.#hasValue = hasValue(structureOf(agent));
    this.#session.open(this.#hasValue ? ["policy", "value"] : ["policy"], { num_envs: 1 });
  }

  /** The answer to any question. In a game in code, a search takes its steps in a sandbox. */
  async answer(question: Question): Promise<Advice> {
    return this.#advise(question, await this.#searchedInCode(question));
  }

  /** The answer to a question that asks for no search in a game in code. */
  ask(question: Question): Advice {
    return this.#advise(question, undefined);
  }

  #advise(question: Question, foundInCode: SearchedPosition | undefined): Advice {
    const { observation, mask } = question;
    const { arena } = this.#session.open([]);
    arena.write("observation", observation);
    arena.write("action_mask", mask);
    this.#session.run("policy");
    const isLegal = (action: number): boolean => mask[action] === 1;
    const read = (name: string): readonly number[] | null =>
      arena.has(name) ? Array.from(arena.view(name)) : null;
    const [logits, returns] = [read("logits"), read("q_values")];
    const found = foundInCode ?? this.#searched(question);
    return {
      action: found?.action ?? arena.view("action")[0] ?? 0,
      ratings: logits
        ? { kind: "probability", values: probabilities(logits, isLegal) }
        : returns && {
            kind: "return",
            values: returns.map((value, action) => (isLegal(action) ? value : null)),
          },
      value: this.#valueOf(observation),
      search: found
        ? { visits: found.visits.map((n, action) => (isLegal(action) ? n : null)), value: found.value }
        : null,
    };
  }

  async #searchedInCode({ observation, mask, search }: Question): Promise<SearchedPosition | undefined> {
    if (!search || !("position" in search) || !this.#hasValue || !this.#open) return undefined;
    this.#lane ??= this.#open();
    const { position, simulations, waits } = search;
    const info = [{ action_mask: Array.from(mask), ...(waits && { waits }) }];
    const from = { observation: Float32Array.from(observation), info, wanted: Uint8Array.of(1) };
    const lanes = { ...from, positions: [position] };
    return (await searchOnHost(this.#session, await this.#lane, lanes, { simulations }))[0] ?? undefined;
  }

  #searched({ search }: Question): SearchedPosition | undefined {
    if (!search || !("state" in search) || !this.#hasValue || !this.#game) return undefined;
    const { state, simulations } = search;
    const known = this.#searches.get(simulations);
    const searcher = known ?? new GameSearch(this.#device, this.#agent, this.#game, { simulations });
    this.#searches.set(simulations, searcher);
    return searcher.search([state])[0];
  }

  #valueOf(observation: Question["observation"]): number | null {
    if (!this.#hasValue) return null;
    const residence = this.#session.open([]);
    residence.arena.write("act.obs", observation);
    this.#session.run("value");
    return residence.number("act.value");
  }
}

/** @throws Error for an environment that is unknown, and for an agent that does not fit it. */
export async function openAdviser({ bytes, environment, env_config, module }: Player): Promise<Adviser> {
  const { agent } = decodeKeptAgent(bytes);
  if (module) {
    // A game in code, whose spaces were found when it was opened.
    const observation_space = spaceFromJson(module.observation_space);
    const spaces = { observation_space, action_space: spaceFromJson(module.action_space) };
    requireOwnSpaces(agent, spaces);
    const open = () => sandboxedLanes(environmentOfModule(environment, env_config, module), 1);
    return new Adviser(spaces, agent, null, module.saves ? open : null);
  }
  await loadEnvironment(environment);
  const env = findEnvironment(environment, env_config);
  requireOwnSpaces(agent, env);
  return new Adviser(env, agent, isCompiled(env) && env.game ? env : null);
}
