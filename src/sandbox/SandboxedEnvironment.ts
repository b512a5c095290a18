import type { z } from "zod";
import {
  type AsyncVectorEnvironment,
  type Branch,
  EnvironmentError,
  type EnvironmentOptions,
  type EnvironmentSpec,
  FrameStacks,
  frameStackOf,
  type GoalBatch,
  type GoalOutcome,
  type Info,
  type Packet,
  type PlacedLanes,
  packed,
  type StackedPlaces,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../rl/faces.ts";
import { type Space, spaceFromJson, stackedSpace } from "../rl/spaces.ts";
import { reasonOf } from "../storage/files.ts";
import { pictureFault } from "./drawLane.ts";
import {
  branchReply,
  goalsReply,
  openReply,
  type Picture,
  type PictureSize,
  placedReply,
  placesReply,
  positionsReply,
  renderReply,
  resetReply,
  stepReply,
  type ValidateReply,
  validateReply,
} from "./messages.ts";
import { SandboxClient } from "./SandboxClient.ts";
import type { OpenSandbox } from "./SandboxPort.ts";

/** Default time limit for each reply of a sandbox, in seconds. */
export const TIMEOUT_S = 10;

export interface SandboxedOptions {
  /** Name used in messages, such as user/balance. */
  readonly name: string;
  readonly script: string;
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  readonly num_envs: number;
  /** Time limit for each reply, in seconds (default: 10). */
  readonly timeout_s?: number;
}

/** The space of a module's stacks. @throws EnvironmentError for observations that are not stacked. */
function stackedIn(name: string, space: Space, frames: number): Space {
  try {
    return stackedSpace(space, frames);
  } catch (error) {
    throw new EnvironmentError(`${name}: frame_stack: ${reasonOf(error)}`, { cause: error });
  }
}

/** Validation takes thousands of steps in one call. */
const VALIDATION_PATIENCE = 6;

/** Episodes that are repeated take all their steps in one call. */
const REPEATING_PATIENCE = 6;

/**
 * Lanes of a user's environment in a sandbox, with one message per step. The code that reads its numbers
 * validates them, as for every environment that is not rlkit's own.
 */
export class SandboxedEnvironment implements AsyncVectorEnvironment {
  readonly asynchronous = true;
  readonly num_envs: number;
  readonly single_observation_space: Space;
  readonly single_action_space: Space;
  readonly spec: EnvironmentSpec;
  /** Whether the environment can be drawn. */
  readonly renders: boolean;
  /** Ids of the players of a game in turns; `null` for other environments. */
  readonly players: readonly string[] | null;
  /** Whether its episodes can be saved, and searches can copy its positions. */
  readonly saves: boolean;
  readonly #client: SandboxClient;
  readonly #name: string;
  readonly #noInfo: readonly Info[];
  /** Stacks of observations, made outside of the sandbox; null without. */
  readonly #stacks: FrameStacks | null;

  private constructor(
    client: SandboxClient,
    { name, num_envs, options }: SandboxedOptions,
    { spaces, max_episode_steps, renders, players, saves }: z.output<typeof openReply>,
  ) {
    this.#client = client;
    this.#name = name;
    this.num_envs = num_envs;
    const space = spaceFromJson(spaces.observation);
    const { frames } = frameStackOf(name, options);
    this.#stacks = frames === 1 ? null : new FrameStacks(space, frames, num_envs);
    this.single_observation_space = frames === 1 ? space : stackedIn(name, space, frames);
    this.single_action_space = spaceFromJson(spaces.action);
    this.spec = { id: name, max_episode_steps };
    this.renders = renders;
    this.players = players;
    this.saves = saves;
    this.#noInfo = Array.from({ length: num_envs }, () => ({}));
  }

  /**
   * Opens a module in its own sandbox.
   * @throws EnvironmentError for a module that cannot be loaded or whose environment is
   *   incomplete; SandboxTimeoutError and
   * SandboxLostError as for every call.
   */
  static async open(open: OpenSandbox, options: SandboxedOptions): Promise<SandboxedEnvironment> {
    const { name, script, entrypoint, num_envs, timeout_s = TIMEOUT_S } = options;
    // The module does not see the stack, so that it may have an option of that name itself.
    const own = frameStackOf(name, options.options).others;
    const { max_episode_steps } = own;
    const client = new SandboxClient(await open(), { name, timeout_s });
    try {
      const reply = await client.call({
        call: "open",
        name,
        script,
        entrypoint,
        options: own,
        num_envs,
        max_episode_steps: typeof max_episode_steps === "number" ? max_episode_steps : null,
      });
      return new SandboxedEnvironment(client, options, client.read(openReply, reply, "open"));
    } catch (error) {
      client.end();
      throw error;
    }
  }

  /** Whether the sandbox has ended, so that another one must be opened. */
  get isEnded(): boolean {
    return this.#client.isEnded;
  }

  async reset({ seed, options }: VectorResetOptions = {}): Promise<VectorResetResult> {
    const given = { ...(seed === undefined ? {} : { seed }), ...(options === undefined ? {} : { options }) };
    const reply = await this.#client.call({ call: "reset", ...given });
    const { observation, info } = this.#read(resetReply, reply, "reset");
    const result = { observation, info: info ?? this.#noInfo };
    return this.#stacks?.afterReset(result) ?? result;
  }

  async step(actions: ArrayLike<number>, wanted?: Uint8Array): Promise<VectorStepResult> {
    // Copies, because transferred buffers become unusable here.
    const own = Float32Array.from(actions);
    const request = { call: "step" as const, actions: own };
    const reply = await this.#client.call(wanted ? { ...request, wanted: wanted.slice() } : request, {
      transfer: [own.buffer],
    });
    const { info, final_info, ...rows } = this.#read(stepReply, reply, "step");
    const result = { ...rows, info: info ?? this.#noInfo, final_info: final_info ?? this.#noInfo };
    return this.#stacks?.afterStep(result, wanted) ?? result;
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  async goOn(
    seed: number,
    given: StackedPlaces | Packet | null,
    observation: Float32Array | null,
  ): Promise<PlacedLanes> {
    const stacked = given && "stacks" in given ? given : null;
    const places = (stacked ? stacked.places : given) as Packet | null;
    const request = { seed, places, observation: this.#stacks ? null : observation };
    const reply = await this.#client.call({ call: "goOn", ...request }, { patience: REPEATING_PATIENCE });
    const { info, ...placed } = this.#read(placedReply, reply, "goOn");
    const result = { ...placed, info: info ?? this.#noInfo };
    return this.#stacks?.afterGoOn(result, stacked?.stacks ?? null) ?? result;
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  async places(): Promise<StackedPlaces | Packet> {
    const places = this.#read(placesReply, await this.#client.call({ call: "places" }), "places");
    return this.#stacks ? { places, stacks: this.#stacks.all() } : places;
  }

  /**
   * As `BranchingLanes`.
   * @internal
   */
  async positions(): Promise<readonly unknown[]> {
    return this.#read(positionsReply, await this.#client.call({ call: "places" }), "places");
  }

  /**
   * As `BranchingLanes`, of observations that are not stacked.
   * @internal
   */
  async branch(
    positions: readonly unknown[],
    actions: ArrayLike<number>,
    wanted: Uint8Array,
  ): Promise<Branch> {
    const request = { positions: packed(positions), actions: Float32Array.from(actions), wanted };
    const reply = await this.#client.call({ call: "branch", ...request });
    const { positions: after, info, final_info, ...rows } = this.#read(branchReply, reply, "branch");
    const step = { ...rows, info: info ?? this.#noInfo, final_info: final_info ?? this.#noInfo };
    return { step, positions: after };
  }

  /**
   * As `GoalLanes`.
   * @internal
   */
  async computeGoals({ achieved, desired }: GoalBatch): Promise<GoalOutcome> {
    const reply = await this.#client.call({ call: "goals", achieved, desired });
    return this.#read(goalsReply, reply, "goals");
  }

  /**
   * Draws a lane's current state as an ImageBitmap. Browsers only.
   * @throws EnvironmentError if the drawing changed the size of its canvas; otherwise as for every call.
   */
  async render(lane: number, size: PictureSize): Promise<Picture> {
    const reply = await this.#client.call({ call: "render", lane, size });
    const { bitmap } = this.#read(renderReply, reply, "render");
    const fault = pictureFault(bitmap, size);
    if (fault === null) return bitmap;
    bitmap.close();
    throw new EnvironmentError(`${this.#name}: render: ${fault}`);
  }

  /**
   * Plays a separate environment with random actions. Faulty steps become findings.
   * @throws As for every call.
   */
  async validate(walk: { readonly steps: number; readonly seed: number }): Promise<ValidateReply> {
    const reply = await this.#client.call({ call: "validate", ...walk }, { patience: VALIDATION_PATIENCE });
    return this.#read(validateReply, reply, "validate");
  }

  #read<Schema extends z.ZodType>(schema: Schema, reply: unknown, call: string): z.output<Schema> {
    return this.#client.read(schema, reply, call);
  }

  /** Ends the sandbox and everything in it. */
  close(): void {
    this.#client.end();
  }
}
