/** Prepares the next players, one at a time, while others play. */

import { type AgentState, agePrograms, perturbedCopy, requireOwnSpaces } from "../agents/members.ts";
import type { WasmDevice } from "../kernels/devices.ts";
import {
  drawEnvironment,
  findEnvironment,
  loadEnvironment,
  type RegisteredEnvironment,
} from "../rl/environments.ts";
import { asRegistered, environmentOfModule, type UserEnvironment } from "../sandbox/environments.ts";
import { isUserEnvironment } from "../specs/sections.ts";
import { decodeKeptAgent } from "../training/files.ts";
import { GreedyPolicy } from "./GreedyPolicy.ts";
import type { OwnLanes } from "./OwnLanes.ts";
import { unpackPolicy } from "./packedPolicy.ts";
import type { Cast, CastMember, Player } from "./stageProtocol.ts";

/** The user-written environment of a player. @throws Error if its code is not available. */
export function ownEnvironment({ environment, env_config, module }: Player): UserEnvironment {
  if (module === null)
    throw new Error(
      `The code of ${environment} is not available: agent links contain no code. Share the run instead.`,
    );
  return environmentOfModule(environment, env_config, module);
}

/** A policy and the environment it plays in. */
export interface Part {
  /** Registered, or written by the user. */
  readonly env: RegisteredEnvironment | UserEnvironment;
  readonly actor: GreedyPolicy;
}

/** A cast whose policies are compiled, except those that cannot play. */
export interface Ready {
  readonly cast: Cast;
  /** By member key; null for a member that cannot play. */
  readonly parts: ReadonlyMap<string, Part | null>;
}

interface CastLoaderParts {
  readonly device: WasmDevice;
  readonly lanes: OwnLanes;
  /** Whether players compute value estimates. */
  readonly rated: boolean;
  /** Whether players expose the outputs of their layers. */
  readonly watched: boolean;
  readonly problem: (key: string, message: string) => void;
}

export class CastLoader {
  readonly #device: WasmDevice;
  readonly #lanes: OwnLanes;
  readonly #options: Pick<CastLoaderParts, "rated" | "watched">;
  readonly #cast: Cast;
  readonly #problem: (key: string, message: string) => void;
  readonly #parts = new Map<string, Part | null>();
  readonly #waiting: CastMember[] = [];
  #decoded: { readonly bytes: Uint8Array; readonly agent: AgentState } | null = null;
  /** By member key; null until all environments are loaded. */
  #envs: ReadonlyMap<string, Part["env"]> | null = null;

  constructor({ device, lanes, rated, watched, problem }: CastLoaderParts, cast: Cast) {
    this.#device = device;
    this.#lanes = lanes;
    this.#options = { rated, watched };
    this.#cast = cast;
    this.#problem = problem;
  }

  /**
   * Finds and loads the environments. A member cannot play if its environment is unknown, has no such options
   * or has no drawing.
   * @throws Error with the first reason if no member can play.
   */
  async load(): Promise<void> {
    const envs = new Map<string, Part["env"]>();
    const failures: { readonly key: string; readonly error: unknown }[] = [];
    for (const member of this.#cast.members) {
      try {
        // A second member with the same environment finds it loaded.
        envs.set(member.key, await this.#loaded(member));
      } catch (error) {
        failures.push({ key: member.key, error });
      }
    }
    const [first] = failures;
    if (first !== undefined && envs.size === 0) throw first.error;
    for (const { key, error } of failures) this.#refuse(key, error);
    agePrograms();
    this.#device.age();
    this.#waiting.push(...this.#cast.members.filter(({ key }) => envs.has(key)));
    this.#envs = envs;
  }

  #refuse(key: string, error: unknown): void {
    this.#parts.set(key, null);
    this.#problem(key, error instanceof Error ? error.message : String(error));
  }

  /** Compiles the next player's policy. @returns false if none is left or the environments are not loaded. */
  prepareOne(): boolean {
    const member = this.#waiting.shift();
    const env = member && this.#envs?.get(member.key);
    if (member === undefined || env === undefined) return false;
    try {
      const own = this.#agentOf(member);
      requireOwnSpaces(own, env);
      const agent = member.copy ? perturbedCopy(this.#device, env, own, member.copy) : own;
      this.#parts.set(member.key, {
        env,
        actor: new GreedyPolicy(this.#device, env, agent, this.#options),
      });
    } catch (error) {
      this.#refuse(member.key, error);
    }
    return true;
  }

  /** Copies of an agent have its bytes in common. */
  #agentOf({ bytes, packed }: CastMember): AgentState {
    if (this.#decoded?.bytes === bytes) return this.#decoded.agent;
    // The coordinator wrote these bytes a moment ago, or they were checked when they were loaded.
    const { agent } = packed ? unpackPolicy(bytes) : decodeKeptAgent(bytes);
    this.#decoded = { bytes, agent };
    return agent;
  }

  /** The whole cast, once every member is prepared; null before. */
  get ready(): Ready | null {
    if (this.#envs === null || this.#waiting.length > 0) return null;
    return { cast: this.#cast, parts: this.#parts };
  }

  /** @throws Error for an environment that is unknown, has no such options, or no drawing. */
  async #loaded(member: CastMember): Promise<Part["env"]> {
    const { environment, env_config } = member;
    if (isUserEnvironment(environment)) {
      const own = await asRegistered(ownEnvironment(member));
      if ("module" in own) await this.#lanes.tryOut(own);
      return own;
    }
    const env = findEnvironment(environment, env_config);
    if (drawEnvironment(env.id, env.options) === null) throw new Error(`There is no drawing for ${env.id}.`);
    await loadEnvironment(env.id);
    return env;
  }
}
