/** Makes ready who plays next, one player at a time, while others play. */
import type { WasmDevice } from "../kernels/wasm/device.ts";
import { drawEnvironment, loadEnvironment, type RegisteredEnvironment } from "../rl/environments/index.ts";
import { findEnvironment } from "../rl/environments/registry.ts";
import { requireOwnSpaces } from "../rl/member/stateFit.ts";
import { agePrograms } from "../rl/runtime/programSet.ts";
import { isUserEnvironment } from "../specs/isUserEnvironment.ts";
import { decodeKeptAgent } from "../training/files/keptAgent.ts";
import { Actor } from "./Actor.ts";
import type { Cast, CastMember } from "./stageProtocol.ts";

/** A cast whose policies are compiled as far as they can be. */
export interface Ready {
  readonly cast: Cast;
  readonly env: RegisteredEnvironment;
  /** By key; null for one that cannot play. */
  readonly actors: ReadonlyMap<string, Actor | null>;
}

export interface CompanyParts {
  readonly device: WasmDevice;
  /** Whether players are to say what they expect. */
  readonly rated: boolean;
  readonly problem: (key: string, message: string) => void;
}

export class Company {
  readonly #device: WasmDevice;
  readonly #rated: boolean;
  readonly #cast: Cast;
  readonly #problem: (key: string, message: string) => void;
  readonly #actors = new Map<string, Actor | null>();
  readonly #waiting: CastMember[];
  #env: RegisteredEnvironment | null = null;

  constructor({ device, rated, problem }: CompanyParts, cast: Cast) {
    this.#device = device;
    this.#rated = rated;
    this.#cast = cast;
    this.#problem = problem;
    this.#waiting = [...cast.members];
  }

  /** Finds and loads the environment. @throws Error for one that is unknown, has no such options, or no drawing. */
  async load(): Promise<void> {
    const { environment, env_config } = this.#cast;
    if (isUserEnvironment(environment))
      throw new Error(
        `There is no drawing for ${environment} here, which runs in a sandbox alone. The page Environments draws it.`,
      );
    const env = findEnvironment(environment, env_config);
    if (drawEnvironment(env.id, env.options) === null) throw new Error(`There is no drawing for ${env.id}.`);
    await loadEnvironment(env.id);
    agePrograms();
    this.#device.age();
    this.#env = env;
  }

  /** Compiles the next player's policy; false when there was none left, or the environment is not there. */
  prepareOne(): boolean {
    const env = this.#env;
    const member = this.#waiting[0];
    if (env === null || member === undefined) return false;
    this.#waiting.shift();
    try {
      // The coordinator wrote them a moment ago, or whoever took them from elsewhere has checked them.
      const { agent } = decodeKeptAgent(member.bytes);
      requireOwnSpaces(agent, env);
      this.#actors.set(member.key, new Actor(this.#device, env, agent, this.#rated));
    } catch (error) {
      this.#actors.set(member.key, null);
      this.#problem(member.key, error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  /** Everybody, once nobody is waited for. */
  get ready(): Ready | null {
    if (this.#env === null || this.#waiting.length > 0) return null;
    return { cast: this.#cast, env: this.#env, actors: this.#actors };
  }
}
