/** What a page and its stage worker tell each other. All plain data. */
import type { DrawingTheme, EnvironmentOptions } from "../rl/environments/index.ts";
import type { OpenedModule } from "../sandbox/openedModule.ts";
import type { LayerActivations } from "./layerActivations.ts";

/** Of a canvas. */
export interface StageSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels in one of them. */
  readonly ratio: number;
}

/** Colours of the page, resolved. */
export interface StageTheme extends DrawingTheme {
  /** Of what bars lie on. */
  readonly line: string;
}

/** An agent with what it plays in. */
export interface Player {
  /** An agent's file, as `encodeAgent` writes it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly environment: string;
  readonly env_config: EnvironmentOptions | null;
  /** Of an environment that a person wrote; null for others, and where the code is not at hand. */
  readonly module: OpenedModule | null;
}

/** One who plays: a tile of the stage. Those of one cast may play in different environments. */
export interface CastMember extends Player {
  /** Tells the players of a stage apart; one that stays keeps its tile's episode going. */
  readonly key: string;
  /** Keys of those that it descends from, the nearest first: it comes from the place of the first one on stage. */
  readonly ancestors: readonly string[];
  /** Of its body and its bar; resolved. */
  readonly colour: string;
}

/** All who play, in the order of their tiles. */
export interface Cast {
  /** Tells one cast from the next. */
  readonly id: number;
  readonly members: readonly CastMember[];
}

export type ToStage =
  | {
      readonly kind: "open";
      readonly canvas: OffscreenCanvas;
      /** Answers with sandboxes, as `PageSandboxes` asks for them. */
      readonly sandboxes: MessagePort;
      readonly size: StageSize;
      readonly theme: StageTheme;
      /** Height below each picture that is left to the page, CSS pixels. */
      readonly caption: number;
      /** Whether nothing but what plays may move: a reader who asked for reduced motion. */
      readonly still: boolean;
      /** Whether readings tell what players expect. */
      readonly rated: boolean;
    }
  | { readonly kind: "size"; readonly size: StageSize }
  | { readonly kind: "theme"; readonly theme: StageTheme }
  | { readonly kind: "cast"; readonly cast: Cast }
  /** `speed`: 1 is the environment's own frame rate. */
  | { readonly kind: "play"; readonly playing: boolean; readonly speed: number }
  /** One step of every player. */
  | { readonly kind: "step" }
  /** Everyone begins anew, from this start. */
  | { readonly kind: "seed"; readonly seed: number }
  /** Whether anybody can see the canvas. */
  | { readonly kind: "seen"; readonly seen: boolean }
  /** The part of the time of one thread that playing may take, 0 to 1. */
  | { readonly kind: "share"; readonly share: number }
  /** What the layers of a policy give while it plays, unseen: needs no canvas. Answered by `layers` or a problem. */
  | {
      readonly kind: "watch";
      readonly player: Player;
      /** As of `open`. */
      readonly sandboxes: MessagePort;
    }
  | { readonly kind: "ping" };

/** Where a player's episode stands. */
export interface Reading {
  readonly key: string;
  readonly seed: number;
  readonly steps: number;
  /** Rewards so far, of all agents together. */
  readonly total: number;
  readonly ended: boolean;
  /** The last action as the environment took it; null before the first. */
  readonly action: readonly number[] | null;
  /** What the agent expects to come of its situation, where it can say. */
  readonly value: number | null;
}

export type FromStage =
  /** The cast is on stage, its selection played out. */
  | { readonly kind: "shown"; readonly cast: number }
  /** The first picture after the first step of a cast's players. */
  | { readonly kind: "moving"; readonly cast: number }
  /** At most four times a second. */
  | { readonly kind: "readings"; readonly readings: readonly Reading[] }
  /** A player, or with null all of them, cannot play. */
  | { readonly kind: "problem"; readonly key: string | null; readonly message: string }
  | { readonly kind: "layers"; readonly layers: readonly LayerActivations[] }
  | { readonly kind: "pong" };
