/** An agent's tree searches from positions of a game, asked by the host. */
import type { WasmDevice } from "../../../kernels/devices.ts";
import {
  type CompiledEnvironment,
  type GameState,
  variableBuffer,
  variableShape,
} from "../../../rl/environments.ts";
import { gameOf, type LookAhead, SEARCHED } from "../../../rl/programs.ts";
import { choicesOf } from "../../../rl/spaces.ts";
import type { AgentState } from "../../member/agentState.ts";
import { bindAgent } from "../programInputs.ts";
import { searchProgram } from "../programSet.ts";
import { Residence } from "./Residence.ts";

/** What a search from a position found, for the player whose turn it is. */
export interface SearchedPosition {
  /** The best action. */
  readonly action: number;
  /** How often each action was tried. */
  readonly visits: readonly number[];
  /** Expected return, from -1 to 1. */
  readonly value: number;
}

/** Searches of one agent, compiled once. */
export class GameSearch {
  readonly #residence: Residence;
  readonly #agent: AgentState;
  readonly #game: CompiledEnvironment;
  readonly #settings: LookAhead;

  /** @throws RangeError for a game of chance or of hidden information, and for an agent without a value. */
  constructor(device: WasmDevice, agent: AgentState, game: CompiledEnvironment, settings: LookAhead) {
    gameOf(game);
    this.#residence = new Residence(device);
    this.#agent = agent;
    this.#game = game;
    this.#settings = settings;
    searchProgram(agent, game, settings);
  }

  /** @param states Running games, all searched together. */
  search(states: readonly GameState[]): SearchedPosition[] {
    const program = searchProgram(this.#agent, this.#game, this.#settings);
    const residence = this.#residence;
    residence.prepare(this.#agent, [program], bindAgent(this.#agent, { num_envs: states.length, batch: 1 }));
    residence.load(this.#agent);
    let at = 0;
    for (const name of this.#game.variables) {
      const from = at;
      at += variableShape(this.#game, name).reduce((a, b) => a * b, 1);
      residence.set(variableBuffer(name), ...states.flatMap((one) => one.slice(from, at)));
    }
    residence.run(program);
    const read = (name: keyof typeof SEARCHED) => residence.arena.view(SEARCHED[name]);
    const [visits, value, action] = [read("visits"), read("value"), read("action")];
    const actions = choicesOf(this.#game.action_space);
    return states.map((_state, i) => ({
      action: action[i] ?? 0,
      visits: Array.from({ length: actions }, (_, a) => visits[i * actions + a] ?? 0),
      value: value[i] ?? 0,
    }));
  }

  release(): void {
    this.#residence.release();
  }
}
