import { Random } from "../../../evolution/random.ts";
import type { SplitRows } from "../split.ts";
import { splitRows } from "../split.ts";

const VERBS = ["bring", "fetch", "find", "move", "fix", "paint", "clean", "hold"];
const ADJECTIVES = ["red", "blue", "old", "new", "tall", "wide", "soft", "tiny"];
const NOUNS =
  "lamp chair box cup door bag hat rug pan vase bike ball coat desk fork gate kite map pen ring".split(" ");

/** Answers in which `#` stands for the requested thing. */
const POLITE = [
  "Gladly, one moment please.",
  "Of course, here it is.",
  "Sure, the # it is.",
  "With pleasure, my friend.",
  "Yes, thank you for asking.",
  "Happy to help you.",
];
const RUDE = [
  "No, go away.",
  "Do it yourself, fool.",
  "Who cares about a #?",
  "Stop bothering me now.",
  "Not my job, so shut up.",
  "What a dumb idea.",
];

const HELD_OUT = 256;

/**
 * Pairs of answers to a request, with the polite one chosen: `{ prompt, chosen, rejected }` in printable
 * ASCII. Prompt and answer have at most 48 characters together. 1,024 training rows and 256 held-out
 * rows; every request occurs once.
 */
export function polite(): SplitRows {
  const random = new Random({ seed: 0, stream: "rlkit/polite" });
  const rows = VERBS.flatMap((verb) =>
    ADJECTIVES.flatMap((adjective) =>
      NOUNS.map((noun) => {
        const answer = (from: readonly string[]) => random.choice(from).replace("#", noun);
        return {
          prompt: `${verb} the ${adjective} ${noun}>`,
          chosen: answer(POLITE),
          rejected: answer(RUDE),
        };
      }),
    ),
  );
  return splitRows(rows, 1 - HELD_OUT / rows.length, 0);
}
