import { z } from "zod";
import { field, integer } from "./field.ts";

/**
 * Tournament selection: each new slot gets the fittest of a few agents drawn at random.
 *
 * @example
 * ```ts
 * const selection_strategy = TournamentSelectionSpec.parse({ tournament_size: 2, elitism: true });
 * ```
 */
export const TournamentSelectionSpec = z.strictObject({
  strategy: field(z.literal("tournament").default("tournament"), "Selection by tournaments."),
  name: field(z.string().nullable().default(null), "A label; it has no effect."),
  tournament_size: field(
    integer(1).default(2),
    "Agents drawn for each tournament. Larger tournaments favour the fittest more strongly.",
    { unit: "agents" },
  ),
  elitism: field(
    z.boolean().default(true),
    "Keeps the fittest agent, unchanged by selection, in the first slot.",
  ),
});
export type TournamentSelectionSpec = z.output<typeof TournamentSelectionSpec>;
export type TournamentSelectionSpecInput = z.input<typeof TournamentSelectionSpec>;
