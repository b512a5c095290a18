/** Whoever acts in a particle world. */
export interface ParticleAgent {
  readonly id: string;
  /** Radius. */
  readonly size: number;
  /** Numbers that it observes. */
  readonly observes: number;
  /** Whether it stays where it is; it moves unless told so. */
  readonly fixed?: boolean;
  /** Numbers that it says in every step; silent unless given. */
  readonly words?: number;
  /** Force of its full push; 5 unless given. */
  readonly push?: number;
  /** Speed that it cannot exceed; none unless given. */
  readonly top_speed?: number;
}

export interface Landmarks {
  readonly count: number;
  /** Radius. */
  readonly size: number;
  /** They start with x and y in [-range, range]; 1 unless given. */
  readonly range?: number;
}

/** What a particle world is made of. Places are in [-1, 1] at first; nothing holds agents there. */
export interface WorldFacts {
  readonly agents: readonly ParticleAgent[];
  readonly landmarks: Landmarks;
  /** Landmarks drawn as goals in every episode, each on its own; none unless given. */
  readonly goals?: number;
  /** Whom agents push away when they touch: other agents, or landmarks too; nobody unless given. */
  readonly contacts?: "agents" | "all";
}

/** Seconds a step takes. */
export const STEP = 0.1;
