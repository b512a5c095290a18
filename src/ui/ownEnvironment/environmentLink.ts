/** An environment in a link: its name, its code and, if shared with one, the manifest that trains in it. */
import { strFromU8, strToU8 } from "fflate";
import { z } from "zod";
import { messageOf } from "../lib/format.ts";
import { packBytes, unpackBytes } from "../lib/packedBytes.ts";

/** Code is expected to have some tens of kilobytes. */
const LIMITS = { letters: 200_000, bytes: 1_000_000 };

const schema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  source: z.string().min(1),
  /** The manifest's text. */
  manifest: z.string().optional(),
});

export type SharedEnvironmentText = Readonly<z.infer<typeof schema>>;

/**
 * Encodes an environment as a part of a link; {@link readSharedEnvironment} decodes it.
 * @throws Error with a full sentence if it is too large, as a robot's meshes are
 */
export function sharedEnvironment(shared: SharedEnvironmentText): string {
  const bytes = strToU8(JSON.stringify(shared));
  const letters = packBytes(bytes);
  if (letters.length <= LIMITS.letters && bytes.length <= LIMITS.bytes) return letters;
  throw new Error(
    `The environment is too large for a link, which holds ${LIMITS.letters} characters. Start a run with it, and share the run's archive.`,
  );
}

/**
 * Decodes an environment from a part of a link.
 * @throws Error with a full sentence if the link holds no environment
 */
export function readSharedEnvironment(letters: string): SharedEnvironmentText {
  try {
    return schema.parse(JSON.parse(strFromU8(unpackBytes(letters, LIMITS))));
  } catch (error) {
    const reason =
      error instanceof z.ZodError || error instanceof SyntaxError
        ? "it does not contain an environment"
        : messageOf(error);
    throw new Error(`The environment in this link cannot be read: ${reason}. Ask for a new link.`);
  }
}
