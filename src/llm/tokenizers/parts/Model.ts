import { z } from "zod";
import { isMapping, show } from "../../../specs/messages.ts";

/** Turns words into ids. */
export interface Model {
  /** Ids by token. */
  readonly ids: ReadonlyMap<string, number>;
  /** Whether the model is BPE, whose texts transformers does not clean up. */
  readonly isBpe: boolean;
  /** @throws Error for a word without tokens, if none stands for unknown text. */
  encode(word: string): readonly number[];
}

/** @throws Error always. */
export function unknownText(word: string): never {
  throw new Error(
    `text: found ${JSON.stringify(word)}, for which the tokenizer has no token and no unk_token`,
  );
}

/** Ids by token. A record of zod would lose the token "__proto__". */
export const vocabulary = z.unknown().transform((found, context): ReadonlyMap<string, number> => {
  const entries: [string, unknown][] = isMapping(found) ? Object.entries(found) : [];
  const isEntry = (entry: [string, unknown]): entry is [string, number] =>
    Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0;
  if (isMapping(found) && entries.every(isEntry)) return new Map(entries);
  const bad = entries.find((entry) => !isEntry(entry));
  const message =
    bad === undefined
      ? `found ${show(found)}, allowed ids by token`
      : `found ${show(bad[1])}, allowed whole numbers from 0`;
  context.addIssue({ code: "custom", path: bad === undefined ? [] : [bad[0]], message });
  return z.NEVER;
});
