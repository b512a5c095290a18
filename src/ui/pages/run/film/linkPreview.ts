import type { AgentFile } from "../../../../workers/protocol.ts";
import { headOf } from "../../../games/fitnessWord.tsx";
import { wordIn } from "../../../games/isGame.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { base64 } from "../../../lib/packedBytes.ts";
import { askStage } from "../../../stage/askStage.ts";
import { castMember } from "../../../stage/stageSettings.ts";
import { filmTheme } from "./makeRunFilm.ts";

/** Most bytes of a preview that a platform takes. */
const MOST = 600_000;

/**
 * A picture of an agent at play for the preview of its link: PNG in base64; null if it would be too large.
 * @param place element whose theme is used
 * @throws Error that says why it could not be made
 */
export async function linkPreview(
  file: AgentFile,
  title: string,
  place: HTMLElement,
): Promise<string | null> {
  const { index, fitness, generation } = file;
  const order = {
    title,
    about: "A reinforcement-learning agent that plays in the page",
    theme: filmTheme(place),
    champion: castMember(place, { key: String(index), file, colour: 0 }),
    facts: [
      ["Agent", `#${index}`],
      [headOf(wordIn(file.environment)), formatScore(fitness)],
      ["Generation", formatCount(generation)],
    ] as const,
  };
  const bytes = await askStage(
    (sandboxes) => ({ kind: "preview", order, sandboxes }),
    (message) => (message.kind === "filmed" ? message.bytes : null),
    new AbortController().signal,
  );
  return bytes.length > MOST ? null : base64(bytes);
}
