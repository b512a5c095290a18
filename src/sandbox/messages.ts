/**
 * What crosses the port between a thread that trains (the client) and a sandbox (the host). All plain data; the buffers of
 * typed arrays are transferred. The host answers one request after another, in their order.
 */
import { z } from "zod";
import type { EnvironmentOptions } from "../rl/environments/face/environmentOptions.ts";
import type { SpaceJson } from "../rl/spaces/index.ts";

/** Loads a module and makes lanes of its environment; what was open before is closed. */
export interface OpenRequest {
  readonly call: "open";
  /** What messages call the environment. */
  readonly name: string;
  /** JavaScript: TypeScript's types are stripped. */
  readonly script: string;
  /** The export's name; null for the default one. */
  readonly entrypoint: string | null;
  readonly options: EnvironmentOptions;
  readonly num_envs: number;
  /** Cuts episodes after so many steps; null leaves that to the environment. */
  readonly max_episode_steps: number | null;
}

export interface ResetRequest {
  readonly call: "reset";
  readonly seed?: number;
  readonly options?: EnvironmentOptions;
}

export interface StepRequest {
  readonly call: "step";
  /** All lanes' actions one after another. */
  readonly actions: Float32Array;
  /** As `VectorEnvironment.step` takes it. */
  readonly wanted?: Uint8Array;
}

/** How large a picture is. */
export interface PictureSize {
  /** What the drawing is told. */
  readonly width: number;
  readonly height: number;
  /** Pixels in each of these units; 1 unless given. */
  readonly scale?: number;
}

/** As much of an ImageBitmap as this needs: the library's types know no DOM. */
export interface Picture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  close(): void;
}

/** Only a sandbox of a browser draws. */
export interface RenderRequest {
  readonly call: "render";
  readonly lane: number;
  readonly size: PictureSize;
}

/** Plays an environment of its own at random, beside the lanes that are open. */
export interface ValidateRequest {
  readonly call: "validate";
  readonly steps: number;
  readonly seed: number;
}

export type SandboxCall = OpenRequest | ResetRequest | StepRequest | RenderRequest | ValidateRequest;

export type SandboxRequest = SandboxCall & { readonly id: number };

/** The calls of one environment that a person wrote. */
export type EnvironmentCall = "open" | "reset" | "step" | "render" | "close";

/** Something that a validation found. */
export interface Finding {
  /** Nobody trains in an environment with errors. */
  readonly level: "error" | "warning";
  /** What was called. */
  readonly call: EnvironmentCall;
  /** Steps taken before and with the call; null where none were. */
  readonly step: number | null;
  readonly found: string;
  readonly allowed: string;
  /** The same in one sentence. */
  readonly what: string;
}

const array = <T extends Float32Array | Uint8Array>(type: { new (...args: never[]): T }) =>
  z.custom<T>((value) => value instanceof type, { error: `is no ${type.name}` });

/** `action_mask` alone crosses the port, and only where a lane has one. */
const infos = z.array(z.record(z.string(), z.unknown())).nullable();

export const resetReply = z.object({ observation: array(Float32Array), info: infos });

export const stepReply = z.object({
  observation: array(Float32Array),
  reward: array(Float32Array),
  terminated: array(Uint8Array),
  truncated: array(Uint8Array),
  final_observation: array(Float32Array),
  info: infos,
  final_info: infos,
});

/** A space as JSON: what is in it is checked by whoever makes the space. */
const space = z.custom<SpaceJson>((value) => typeof value === "object" && value !== null && "kind" in value, {
  error: "is no space",
});

export const openReply = z.object({
  spaces: z.object({ observation: space, action: space }),
  /** What it states, or what the request asked for; null for no limit. */
  max_episode_steps: z.int().positive().nullable(),
  /** Whether it can be drawn. */
  renders: z.boolean(),
});
export type OpenReply = z.output<typeof openReply>;

export const renderReply = z.object({
  bitmap: z.custom<Picture>(
    (value) => {
      const { ImageBitmap } = globalThis as { readonly ImageBitmap?: new () => Picture };
      return ImageBitmap !== undefined && value instanceof ImageBitmap;
    },
    { error: "is no ImageBitmap" },
  ),
});

const text = z.string().max(4000);

export const validateReply = z.object({
  findings: z
    .array(
      z.object({
        level: z.enum(["error", "warning"]),
        call: z.enum(["open", "reset", "step", "render", "close"]),
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

/** What was thrown, as data. */
export const sandboxFault = z.object({
  /** Class of the error. */
  name: z.string().max(200),
  message: text,
  call: z.string().max(20),
});
export type SandboxFault = z.output<typeof sandboxFault>;

/** Around every reply. */
export const sandboxReply = z.discriminatedUnion("ok", [
  z.object({ id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), error: sandboxFault }),
]);
export type SandboxReply = z.output<typeof sandboxReply>;
