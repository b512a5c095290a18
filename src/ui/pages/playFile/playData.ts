/** What a play file holds beside the program: the agent, as in a link, and where one's own can be trained. */
import { z } from "zod";

/** Id of the element with the data. */
export const DATA_ID = "play";

/** Where the title and the preview stand in the template. */
export const HEAD_PLACE = "<!-- preview -->";

/** Where the data stands in the template. */
export const DATA_PLACE = "__PLAY_DATA__";

/** Where planck stands in the template. */
export const PLANCK_PLACE = "<!-- planck -->";

const schema = z.strictObject({
  version: z.literal(1),
  /** A packed policy, as in play links. */
  agent: z.string().min(1),
  /** Address at which such an agent can be trained; null if others cannot open it. */
  train: z.url({ protocol: /^https?$/ }).nullable(),
});

export type PlayData = Readonly<z.infer<typeof schema>>;

/** As JSON that can be part of HTML. */
export const writePlayData = (data: PlayData): string => JSON.stringify(data).replaceAll("<", "\\u003c");

/** @throws Error with a full sentence for data that this build did not write. */
export function readPlayData(text: string | null): PlayData {
  try {
    return schema.parse(JSON.parse(text ?? ""));
  } catch (error) {
    throw new Error("This file was changed or is incomplete. Ask for a new one.", { cause: error });
  }
}
