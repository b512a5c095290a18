/** Messages between a page and its stage worker. All are plain data. */
import type { CopyOfTurn } from "../agents/members.ts";
import type { DrawingTheme, GameState } from "../rl/environments.ts";
import type { EnvironmentOptions } from "../rl/faces.ts";
import type { OpenedModule } from "../sandbox/environments.ts";
import type { LayerActivations } from "./layerActivations.ts";

/** Size of a canvas. */
export interface StageSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Resolved colours of the page. `accent` is the champion's own. */
export interface StageTheme extends DrawingTheme {
  /** Colour of the track below bars. */
  readonly line: string;
  /** Colours of fitness from low to high. */
  readonly fitness: readonly string[];
}

/** An agent and the environment it plays in. */
export interface Player {
  /** An agent's file, as `encodeAgent` writes it; if `packed`, a policy as `packPolicy` writes it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed?: boolean;
  readonly environment: string;
  readonly env_config: EnvironmentOptions | null;
  /** Code of a user-written environment; null for other environments, and if the code is not available. */
  readonly module: OpenedModule | null;
}

/** An agent that goes into a link. */
export interface LinkAgent extends Pick<Player, "bytes" | "environment" | "env_config"> {
  readonly generation: number;
  readonly fitness: number | null;
}

/** A player, shown in one tile of the stage. Members of one cast may play in different environments. */
export interface CastMember extends Player {
  /** Identifies the player on a stage; a player that stays keeps its tile's episode going. */
  readonly key: string;
  /** Keys of its ancestors, the nearest first. The player comes from the tile of the first one on stage. */
  readonly ancestors: readonly string[];
  /** Resolved colour of the agent's body. */
  readonly colour: string;
  /** Fitness of its last evaluation, which ranks the cast (default: null, none). */
  readonly fitness?: number | null;
  /** Whether it is the champion, who is first among members of equal fitness (default: false). */
  readonly champion?: boolean;
  /** What is new about a copy, in words, such as "lr × 1.2" (default: null). */
  readonly note?: string | null;
  /**
   * The perturbed copy of its agent that plays in its place (default: null, the agent itself). Copies are ranked by their
   * returns on stage, and pale with their rank.
   */
  readonly copy?: CopyOfTurn | null;
}

/** All players, in the order of their tiles. */
export interface Cast {
  /** Distinguishes successive casts. */
  readonly id: number;
  readonly members: readonly CastMember[];
  /** Height below each picture that is reserved for the page, CSS pixels (default: 0). */
  readonly caption?: number;
  /** Steps before the first picture, for users who asked for reduced motion (default: 0). */
  readonly pose?: number;
}

/** Colours of films and posters. */
export interface FilmTheme extends StageTheme {
  readonly surface: string;
  /** Of less important text. */
  readonly soft: string;
  /** Of the target's line. */
  readonly target: string;
}

/** A generation of a film. Its scene is the first part of its seconds. */
export interface FilmAct {
  readonly generation: number;
  readonly seconds: number;
  readonly members: readonly CastMember[];
  /** Best fitness of the generation, as text; null without one. */
  readonly best: string | null;
}

/** 960 x 540, 1080 x 1080 or 1080 x 1920 pixels, as videos. */
export type FilmShape = "wide" | "square" | "tall";

/** A film of a run. */
export interface FilmOrder {
  readonly shape: FilmShape;
  /** Seconds of the title before the first act, and what is said below it; null for none. */
  readonly opening: { readonly seconds: number; readonly text: string } | null;
  readonly title: string;
  /** What is trained on what. */
  readonly about: string;
  readonly theme: FilmTheme;
  readonly acts: readonly FilmAct[];
  /** Best fitness of each generation and what it is called, NaN without one, and the score that the run should reach. */
  readonly curve: {
    readonly label: string;
    readonly generation: ArrayLike<number>;
    readonly best: ArrayLike<number>;
    readonly target: number | null;
  };
  /** `codec`: for WebCodecs, such as "avc1.64001f". */
  readonly format: { readonly kind: "mp4"; readonly codec: string } | { readonly kind: "gif" };
}

/** A picture of a run's family tree and its champion at play. */
export interface PosterOrder extends Pick<FilmOrder, "title" | "about" | "theme"> {
  readonly champion: CastMember;
  readonly tree: ImageBitmap;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** A picture of an agent at play, 1200 x 630 pixels, as previews of links have it. */
export type PreviewOrder = Omit<PosterOrder, "tree">;

/** A position of a game as the player whose turn it is sees it. */
export interface Question {
  /** Numbers of the observation space. */
  readonly observation: ArrayLike<number>;
  /** 1 for each legal action, 0 for others. */
  readonly mask: ArrayLike<number>;
  /** Asks for a search from the position too, in a game that the agent can search (default: its policy moves alone). */
  readonly search?: { readonly simulations: number } & (
    | { readonly state: GameState }
    /** In a game in code: what its lane saved, and whether its seat waits there. */
    | { readonly position: unknown; readonly waits: boolean }
  );
}

/** What an agent thinks of a position. */
export interface Advice {
  /** The best action, by the search if there is one, else by the policy. */
  readonly action: number;
  /**
   * For each action: its probability, or the return expected after it, with the discount of training; null for illegal
   * actions. Null for agents that rate no actions.
   */
  readonly ratings: {
    readonly kind: "probability" | "return";
    readonly values: readonly (number | null)[];
  } | null;
  /** Return expected from the position; null for agents without a value estimate. */
  readonly value: number | null;
  /**
   * How often a search tried each action, null for illegal ones, and the return that it expects. Null if none was asked
   * for, and for agents without a value estimate.
   */
  readonly search: { readonly visits: readonly (number | null)[]; readonly value: number } | null;
}

export type ToStage =
  | {
      readonly kind: "open";
      readonly canvas: OffscreenCanvas;
      /** Provides sandboxes on request; see `PageSandboxes`. */
      readonly sandboxes: MessagePort;
      readonly size: StageSize;
      readonly theme: StageTheme;
      /** Whether only the environments may move, for users who asked for reduced motion. */
      readonly still: boolean;
      /** Whether readings include the players' value estimates. */
      readonly rated: boolean;
      /** Whether `outputs` tells what the players' layers compute. */
      readonly watched: boolean;
    }
  /** Ends the stage that `open` began. The worker can open another one. */
  | { readonly kind: "leave" }
  /** Players of this registered environment are likely to come: its programs are compiled ahead of them. */
  | { readonly kind: "expect"; readonly environment: string }
  | { readonly kind: "size"; readonly size: StageSize }
  | { readonly kind: "theme"; readonly theme: StageTheme }
  | { readonly kind: "cast"; readonly cast: Cast }
  /** `speed`: 1 is the environment's frame rate. */
  | { readonly kind: "play"; readonly playing: boolean; readonly speed: number }
  /** Takes one step of every player. */
  | { readonly kind: "step" }
  /** Restarts every player with this seed. */
  | { readonly kind: "seed"; readonly seed: number }
  /** Whether the canvas is visible. */
  | { readonly kind: "seen"; readonly seen: boolean }
  /** The fraction of one thread's time that playing may use, 0 to 1. */
  | { readonly kind: "share"; readonly share: number }
  /**
   * Asks for the outputs of a policy's layers while it plays unseen, without a canvas. Answered by `layers`
   * or a problem.
   */
  | {
      readonly kind: "watch";
      readonly player: Player;
      /** As in `open`. */
      readonly sandboxes: MessagePort;
    }
  /** Sets the agent that `ask` is about, without a canvas. */
  | {
      readonly kind: "adviser";
      readonly player: Player;
      /** As in `open`, for searches in a game in code; null for other games. */
      readonly sandboxes: MessagePort | null;
    }
  /** Asks the agent for its view of a position in a game. Answered by `advice` or a problem. */
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  /** Asks for a film without a canvas. Answered by `filming` again and again, then by `filmed` or a problem. */
  | { readonly kind: "film"; readonly order: FilmOrder; readonly sandboxes: MessagePort }
  /** Asks for a poster. Answered by `filmed` or a problem. */
  | { readonly kind: "poster"; readonly order: PosterOrder; readonly sandboxes: MessagePort }
  /** Asks for the preview of a link. Answered by `filmed` or a problem. */
  | { readonly kind: "preview"; readonly order: PreviewOrder; readonly sandboxes: MessagePort }
  /** Asks for the smallest form of an agent's policy for a link. Answered by `packed` or a problem. */
  | { readonly kind: "pack"; readonly agent: LinkAgent; readonly sandboxes: MessagePort }
  | { readonly kind: "ping" };

/** A layer's outputs for one action, after its normalisation and activation. */
export interface LayerOutputs {
  /** Network and layer: "actor.encoder.linear_1". */
  readonly name: string;
  /** Row-major, with the layer's units on the last axis. */
  readonly values: Float32Array;
}

/** How far a body went in its episode, and how fast it is. */
export interface Travelled {
  /** From where the episode began, forward, m. */
  readonly distance: number;
  /** Mean over the last second of play, forward, m/s. */
  readonly speed: number;
}

/** Distance and speed as text, such as "12.3 m" and "-0.4 m/s". */
export const travelledTexts = ({ distance, speed }: Travelled): readonly [string, string] => {
  const rounded = (value: number): string => value.toFixed(1).replace(/^-0\.0$/, "0.0");
  return [`${rounded(distance)} m`, `${rounded(speed)} m/s`];
};

/** The state of a player's episode. */
export interface Reading {
  readonly key: string;
  readonly seed: number;
  readonly steps: number;
  /** Sum of the rewards so far, over all agents. */
  readonly total: number;
  readonly ended: boolean;
  /** The last action in the environment's format; null before the first. */
  readonly action: readonly number[] | null;
  /** The agent's value estimate; null if it has none. */
  readonly value: number | null;
  /** Null for environments without bodies that move along. */
  readonly travelled: Travelled | null;
}

export type FromStage =
  /** The answer to `open`: what was told before is about an earlier stage. */
  | { readonly kind: "opened" }
  /** The transition to the cast begins; `shown` follows it. */
  | { readonly kind: "changing"; readonly cast: number }
  /** The cast is on stage, after its transition. */
  | { readonly kind: "shown"; readonly cast: number }
  /** The first picture after the first step of a cast's players is drawn. */
  | { readonly kind: "moving"; readonly cast: number }
  /** Sent at most four times a second. */
  | { readonly kind: "readings"; readonly readings: readonly Reading[] }
  /** What a player's layers computed for its last action. */
  | { readonly kind: "outputs"; readonly key: string; readonly layers: readonly LayerOutputs[] }
  /** A player cannot play; with null, no player can. */
  | { readonly kind: "problem"; readonly key: string | null; readonly message: string }
  | { readonly kind: "layers"; readonly layers: readonly LayerActivations[] }
  | { readonly kind: "advice"; readonly id: number; readonly advice: Advice }
  /** How much of the film is made, 0 to 1. */
  | { readonly kind: "filming"; readonly done: number }
  /** The film or poster as a file. */
  | { readonly kind: "filmed"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "packed"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "pong" };

/** Steps of play over which a policy's layers are watched, in as many episodes as needed. */
export const WATCHED_STEPS = 300;
