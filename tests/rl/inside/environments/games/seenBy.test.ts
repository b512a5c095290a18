/** What pictures of card games may show to a player. */
import { expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { kuhnPoker } from "../../../../../src/rl/environments/games/kuhnPoker/rules.ts";
import { leducPoker } from "../../../../../src/rl/environments/games/leducPoker/rules.ts";
import { afterChance } from "../../../../../src/rl/environments/games/ruleMoves.ts";

it.each([kuhnPoker, leducPoker])(
  "$id hides the other's card, and nothing that a player observes",
  (rules) => {
    const random = new Random({ seed: 1 });
    const state = afterChance(rules, rules.start, () => random.uniform());
    for (const player of [0, 1]) {
      const seen = rules.seenBy?.(state, player) ?? [];
      expect(seen[player]).toBe(state[player]);
      expect(seen[1 - player]).toBe(rules.start[1 - player]);
      expect(rules.observe(seen, player)).toEqual(rules.observe(state, player));
    }
  },
);
