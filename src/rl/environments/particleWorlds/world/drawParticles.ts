import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, bar, disc, scene } from "../../drawing/scene.ts";
import { type ParticleAgent, type WorldFacts, widthOf, wordsOf } from "./Scene.ts";

/** A colour of the theme, or a hue that is the same on light and dark pages. */
export type Paint = keyof DrawingTheme | (typeof HUES)[number];

/** Red, green and blue that are distinguishable with any colour vision (Okabe and Ito 2008). */
export const HUES = ["#d55e00", "#009e73", "#56b4e9"] as const;

/** How a world is drawn. Goals have a ring. */
export interface Look {
  /** Colour of an agent (default: `accent`). `goals`: indices of the goals' landmarks. */
  readonly agent?: (index: number, goals: readonly number[]) => Paint;
  /** Colour of a landmark (default: `muted`). */
  readonly landmark?: (index: number) => Paint;
  /** Drawn radius of landmarks (default: their own radius). */
  readonly landmark_size?: number;
  /** Index of the agent that must reach each goal; a line connects the two. */
  readonly seekers?: readonly number[];
}

/** Half the side of the visible square. The view zooms out when agents are farther away. */
const REACH = 1.15;
/** Velocity marks show the movement during this many seconds. */
const AHEAD = 0.25;

const colourOf = (paint: Paint, theme: DrawingTheme): string =>
  paint in theme ? theme[paint as keyof DrawingTheme] : paint;

function ring(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  radius: number,
  width: number,
  color: string,
  [from, to]: readonly [number, number] = [0, 2 * Math.PI],
): void {
  context.beginPath();
  context.arc(x, y, radius, from, to);
  context.lineWidth = width;
  context.strokeStyle = color;
  context.stroke();
}

/**
 * An agent's words as a dial: one sector per number, clockwise from the top, more opaque for larger numbers.
 */
function dial(
  context: DrawingContext,
  place: readonly [number, number],
  radius: number,
  said: readonly number[],
  theme: DrawingTheme,
): void {
  const sector = (2 * Math.PI) / said.length;
  for (const [i, number] of said.entries()) {
    const start = Math.PI / 2 - (i + 1) * sector;
    context.globalAlpha = 0.15 + 0.85 * Math.max(0, Math.min(1, number));
    ring(context, place, radius, 0.05, theme.ink, [start + 0.12 * sector, start + 0.88 * sector]);
  }
  context.globalAlpha = 1;
}

interface Shown {
  readonly agent: ParticleAgent;
  readonly place: readonly [number, number];
  readonly velocity: readonly [number, number];
  readonly said: readonly number[];
}

/** The parts of a state row. */
function partsOf({ agents, landmarks, goals = 0 }: WorldFacts, state: ArrayLike<number>) {
  let start = 0;
  const shown = agents.map((agent): Shown => {
    const [x, y, vx, vy] = [0, 1, 2, 3].map((i) => at(state, start + i)) as [number, number, number, number];
    const said = Array.from({ length: wordsOf(agent) }, (_, i) => at(state, start + 4 + i));
    start += widthOf(agent);
    return { agent, place: [x, y], velocity: [vx, vy], said };
  });
  const places = Array.from(
    { length: landmarks.count },
    (_, i) => [at(state, start + 2 * i), at(state, start + 2 * i + 1)] as const,
  );
  const marked = Array.from({ length: goals }, (_, i) => at(state, start + 2 * landmarks.count + i));
  return { shown, places, goals: marked };
}

function border(context: DrawingContext, theme: DrawingTheme): void {
  context.globalAlpha = 0.5;
  for (const side of [-1, 1]) {
    bar(context, [side, -1], [side, 1], 0.008, theme.muted);
    bar(context, [-1, side], [1, side], 0.008, theme.muted);
  }
  context.globalAlpha = 1;
}

function drawAgent(
  context: DrawingContext,
  { agent, place, velocity, said }: Shown,
  color: string,
  theme: DrawingTheme,
) {
  const [x, y] = place;
  if (said.length > 0) dial(context, place, agent.size + 0.07, said, theme);
  disc(context, x, y, agent.size, color);
  ring(context, place, agent.size, 0.012, theme.ink);
  bar(context, place, [x + AHEAD * velocity[0], y + AHEAD * velocity[1]], 0.018, theme.ink);
}

/** A plane with its landmarks, goals and agents. The state's layout is that of `particleWorld`. */
export const drawParticles = (facts: WorldFacts, look: Look): DrawEnvironment =>
  scene({ left: -REACH, right: REACH, bottom: -REACH, top: REACH }, (context, state, _action, theme) => {
    const { shown, places, goals } = partsOf(facts, state);
    const { agent = () => "accent", landmark = () => "muted", seekers = [] } = look;
    const size = look.landmark_size ?? facts.landmarks.size;
    const farthest = shown.flatMap(({ place, agent: { size: own } }) => place.map((c) => Math.abs(c) + own));
    const zoom = Math.min(1, REACH / Math.max(REACH, ...farthest));
    context.scale(zoom, zoom);
    border(context, theme);
    for (const [i, [x, y]] of places.entries()) disc(context, x, y, size, colourOf(landmark(i), theme));
    for (const [i, goal] of goals.entries()) {
      const place = places[goal];
      if (!place) continue;
      ring(context, place, size + 0.03, 0.022, theme.ink);
      const seeker = shown[seekers[i] ?? -1];
      if (!seeker) continue;
      context.setLineDash([0.03, 0.05]);
      bar(context, seeker.place, place, 0.012, theme.muted);
      context.setLineDash([]);
    }
    for (const [i, one] of shown.entries()) drawAgent(context, one, colourOf(agent(i, goals), theme), theme);
  });
