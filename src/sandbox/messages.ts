/**
 * Messages between a training thread (the client) and a sandbox (the host). All are plain data; the buffers
 * of typed arrays are transferred. The host answers requests one at a time, in order.
 */
import { z } from "zod";
import { type ModuleTask, objectFacts } from "../llm/modules.ts";
import { jsonSpace } from "../rl/environments.ts";
import { type EnvironmentOptions, type GoalBatch, type Packet, unpacked } from "../rl/faces.ts";

/** Loads a module and makes lanes of its environment. Closes any environment that was open before. */
export interface OpenRequest {
  readonly call: "open";
  /** Name of the environment in messages. */
  readonly name: string;
  /** JavaScript source, with TypeScript's types stripped. */
  readonly script: string;
  /** Name of the export; `null` for the default export. */
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  readonly num_envs: number;
  /** Truncates episodes after this many steps; `null` leaves that to the environment. */
  readonly max_episode_steps: number | null;
}

export interface ResetRequest {
  readonly call: "reset";
  readonly seed?: number;
  readonly options?: EnvironmentOptions;
}

export interface StepRequest {
  readonly call: "step";
  /** The actions of all lanes, concatenated. */
  readonly actions: Float32Array;
  /** As for `VectorEnvironment.step`. */
  readonly wanted?: Uint8Array;
}

/** Goes on with episodes of an earlier turn, as `LastingLanes.goOn`. */
export interface GoOnRequest {
  readonly call: "goOn";
  readonly seed: number;
  readonly places: Packet | null;
  readonly observation: Float32Array | null;
}

/** Where the lanes' episodes stand. */
interface PlacesRequest {
  readonly call: "places";
}

/** Takes a step from other positions, as `BranchingLanes.branch`. */
export interface BranchRequest {
  readonly call: "branch";
  readonly positions: Packet;
  readonly actions: Float32Array;
  readonly wanted: Uint8Array;
}

/** Computes rewards for goals, as `GoalLanes.computeGoals`. */
export interface GoalsRequest extends GoalBatch {
  readonly call: "goals";
}

/** Size of a picture. */
export interface PictureSize {
  /** Size passed to the drawing function. */
  readonly width: number;
  readonly height: number;
  /** Pixels per unit (default: 1). */
  readonly scale?: number;
}

/** The part of ImageBitmap that this needs: the library's types do not include the DOM. */
export interface Picture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  close(): void;
}

/** Only browser sandboxes support drawing. */
export interface RenderRequest {
  readonly call: "render";
  readonly lane: number;
  readonly size: PictureSize;
}

/** Plays a separate environment with random actions, beside the open lanes. */
export interface ValidateRequest {
  readonly call: "validate";
  readonly steps: number;
  readonly seed: number;
}

/** Loads a module whose functions are called. */
interface LoadRequest {
  readonly call: "load";
  /** Name of the module in messages. */
  readonly name: string;
  /** JavaScript source. */
  readonly script: string;
}

/** A task for the loaded module. */
interface TaskRequest {
  readonly call: "task";
  readonly task: ModuleTask;
}

export type SandboxCall =
  | OpenRequest
  | ResetRequest
  | StepRequest
  | GoOnRequest
  | PlacesRequest
  | BranchRequest
  | GoalsRequest
  | RenderRequest
  | ValidateRequest
  | LoadRequest
  | TaskRequest;

export type SandboxRequest = SandboxCall & {
  readonly id: number;
  /** Time limit of the call in seconds, for a sandbox whose client is lost amid the call. */
  readonly limit_s: number;
};

/** The calls of a user's environment. */
export type EnvironmentCall = "open" | "reset" | "step" | "save" | "load" | "render" | "close";

/** A problem found by validation. */
export interface Finding {
  /** An environment with errors cannot be used for training. */
  readonly level: "error" | "warning";
  /** The call that was made. */
  readonly call: EnvironmentCall;
  /** Steps taken, including this call; `null` if none were. */
  readonly step: number | null;
  readonly found: string;
  readonly allowed: string;
  /** The same in one sentence. */
  readonly what: string;
}

const array = <T extends Float32Array | Uint8Array>(type: { new (...args: never[]): T }) =>
  z.custom<T>((value) => value instanceof type, { error: `is not a ${type.name}` });

/** Longest text of the states of all lanes, in characters. */
const MOST_PLACES = 100_000_000;

/** Only what `maskedInfos` keeps crosses the port, and only if a lane has some of it. */
const infos = z.array(z.record(z.string(), z.unknown())).max(1_000_000).nullable();

export const resetReply = z.object({ observation: array(Float32Array), info: infos });

/** Of goOn. */
export const placedReply = resetReply.extend({
  begun: array(Uint8Array),
  left: array(Uint8Array).nullable(),
});

/** Plain data, which only the sandbox reads. */
export const placesReply = z.object({ text: z.string().max(MOST_PLACES), bytes: array(Uint8Array) });

/** Of places, read as a list of one for each lane; each is plain data, which only the sandbox reads. */
export const positionsReply = placesReply.transform((packet, context): readonly unknown[] => {
  try {
    const positions = unpacked(packet);
    if (Array.isArray(positions)) return positions;
  } catch {
    // Reported below.
  }
  context.addIssue({ code: "custom", message: "is not a list of positions" });
  return z.NEVER;
});

/** Of goals. */
export const goalsReply = z.object({
  reward: array(Float32Array),
  terminated: array(Uint8Array).nullable(),
});

export const stepReply = z.object({
  observation: array(Float32Array),
  reward: array(Float32Array),
  terminated: array(Uint8Array),
  truncated: array(Uint8Array),
  final_observation: array(Float32Array),
  info: infos,
  final_info: infos,
});

/** Of branch. */
export const branchReply = stepReply.extend({ positions: positionsReply });

export const openReply = z.object({
  spaces: z.object({ observation: jsonSpace, action: jsonSpace }),
  /** The limit that the environment states or the request set; `null` for no limit. */
  max_episode_steps: z.int().positive().nullable(),
  /** Whether the environment can be drawn. */
  renders: z.boolean(),
  /** Ids of the players of a game in turns; `null` for other environments. */
  players: z.array(z.string()).nullable(),
  /** Whether the environment has `save` and `load`. */
  saves: z.boolean(),
});
export type OpenReply = z.output<typeof openReply>;

export const renderReply = z.object({
  bitmap: z.custom<Picture>(
    (value) => {
      const { ImageBitmap } = globalThis as { readonly ImageBitmap?: new () => Picture };
      return ImageBitmap !== undefined && value instanceof ImageBitmap;
    },
    { error: "is not an ImageBitmap" },
  ),
});

const text = z.string().max(4000);

export const validateReply = z.object({
  findings: z
    .array(
      z.object({
        level: z.enum(["error", "warning"]),
        call: z.enum(["open", "reset", "step", "save", "load", "render", "close"]),
        step: z.int().nullable(),
        found: text,
        allowed: text,
        what: text,
      }),
    )
    .max(100),
  steps_per_second: z.number(),
});
export type ValidateReply = z.output<typeof validateReply>;

export const taskReply = z.object({ value: z.unknown().optional(), facts: objectFacts });

/** A thrown error as data. */
const sandboxFault = z.object({
  /** Class name of the error. */
  name: z.string().max(200),
  message: text,
  call: z.string().max(20),
});
export type SandboxFault = z.output<typeof sandboxFault>;

/** Envelope of every reply. */
export const sandboxReply = z.discriminatedUnion("ok", [
  z.object({ id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: sandboxFault }),
]);
