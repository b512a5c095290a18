import type { Space } from "../../spaces.ts";
import type { DrawEnvironment } from "../drawing/drawing.ts";
import { at, bar, disc, scene, tile } from "../drawing/scene.ts";
import type { ProbeObservation } from "./probeEnvironment.ts";

interface Shown {
  readonly observation: ProbeObservation;
  readonly solution: readonly { readonly observation: readonly number[] }[];
  readonly action_space: Space;
}

/** Tile values (dark or bright) of each observation: index above image, or one agent above the other. */
const parts = ({ observation: kind, solution }: Shown): number[][] =>
  solution.map(({ observation }) =>
    [observation.at(0), ...(kind === "mixed" ? [observation.at(-1)] : [])].map((value) => value ?? 0),
  );

/**
 * The situations of a probe as tiles, with the current one marked and the action below. State: the situation.
 */
export function probeDrawing(probe: Shown): DrawEnvironment {
  const seen = parts(probe);
  const rows = seen[0]?.length ?? 1;
  const frame = { left: -0.3, right: seen.length + 0.3, bottom: -0.8, top: rows + 0.5 };
  return scene(frame, (context, state, action, theme) => {
    for (const [col, values] of seen.entries()) {
      for (const [row, value] of values.entries())
        tile(
          context,
          [col + 0.5, rows - row - 0.5],
          value === 1 ? theme.ink : theme.muted,
          value === 1 ? 0.8 : 0.25,
        );
    }
    const x = at(state, 0) + 0.5;
    bar(context, [x - 0.4, rows + 0.14], [x + 0.4, rows + 0.14], 0.08, theme.accent);
    if (action === null) return;
    bar(context, [x - 0.4, -0.35], [x + 0.4, -0.35], 0.04, theme.muted);
    const range = probe.action_space.kind === "Discrete" ? probe.action_space.n - 1 : 1;
    const share = range === 0 ? 0.5 : Math.max(0, Math.min(1, action / range));
    disc(context, x - 0.4 + 0.8 * share, -0.35, 0.11, theme.accent);
  });
}
