/** An environment in a link: name, code and, where it is shared with one, the manifest that trains in it. */
import { strFromU8, strToU8 } from "fflate";
import { z } from "zod";
import { messageOf } from "../lib/messageOf.ts";
import { packBytes, unpackBytes } from "../lib/packedBytes.ts";

/** Code has some tens of kilobytes. */
const LIMITS = { letters: 200_000, bytes: 1_000_000 };

const schema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  source: z.string().min(1),
  /** As text. */
  manifest: z.string().optional(),
});

export type SharedEnvironmentText = Readonly<z.infer<typeof schema>>;

/** The part of a link that {@link readSharedEnvironment} reads. */
export const sharedEnvironment = (shared: SharedEnvironmentText): string =>
  packBytes(strToU8(JSON.stringify(shared)));

/** @throws Error in a sentence for a link that holds no environment */
export function readSharedEnvironment(letters: string): SharedEnvironmentText {
  try {
    return schema.parse(JSON.parse(strFromU8(unpackBytes(letters, LIMITS))));
  } catch (error) {
    const reason =
      error instanceof z.ZodError || error instanceof SyntaxError
        ? "it holds something else"
        : messageOf(error);
    throw new Error(`This link's environment cannot be read: ${reason}. Ask for the link again.`);
  }
}
