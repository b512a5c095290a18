/** An agent of a particle world. */
export interface ParticleAgent {
  readonly id: string;
  /** Radius. */
  readonly size: number;
  /** How many numbers it observes. */
  readonly observes: number;
  /** Whether it stays in place (default: false). */
  readonly fixed?: boolean;
  /** How many numbers it communicates in every step (default: 0, silent). */
  readonly words?: number;
  /** Force of a full push (default: 5). */
  readonly push?: number;
  /** Maximum speed (default: no limit). */
  readonly top_speed?: number;
}

/** The landmarks of a particle world. */
export interface Landmarks {
  readonly count: number;
  /** Radius. */
  readonly size: number;
  /** Initial x and y are in [-range, range] (default: 1). */
  readonly range?: number;
}

/** The contents of a particle world. Agents start with x and y in [-1, 1], but may leave that square. */
export interface WorldFacts {
  readonly agents: readonly ParticleAgent[];
  readonly landmarks: Landmarks;
  /** How many landmarks are drawn as goals in every episode, independently of each other (default: 0). */
  readonly goals?: number;
  /** What agents collide with: other agents only, or landmarks too (default: nothing). */
  readonly contacts?: "agents" | "all";
}

/** Duration of a step, s. */
export const STEP = 0.1;
