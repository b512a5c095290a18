/** A member's turn as a job: all that is large in it is an artifact. */
import { z } from "zod";
import { VERSION } from "../../../src/specs/version.ts";
import { sha256Schema } from "../artifacts/sha256Schema.ts";

/** One worker's claim of a run. */
export interface Attempt {
  /** Id of the run. */
  readonly run: string;
  readonly attempt: number;
}

/** Its queue, and the directory of what its machines pass to each other. */
export const attemptName = ({ run, attempt }: Attempt): string => `${run}-${attempt}`;

/** The attempt of such a name; null for any other text. */
export function attemptOf(name: string): Attempt | null {
  const [, run, attempt] = /^([0-9a-f-]{36})-(\d{1,9})$/.exec(name) ?? [];
  return run === undefined ? null : { run, attempt: Number(attempt) };
}

export const turnQueueName = (attempt: Attempt): string => `turns-${VERSION}-${attemptName(attempt)}`;

const count = z.int().nonnegative();

export const turnJobSchema = z.strictObject({
  generation: count,
  slot: count,
  /** Artifact of the turn. */
  turn: sha256Schema,
  /** Artifact of what the replay memory holds at the generation's start. */
  history: sha256Schema,
});

export type TurnJob = z.infer<typeof turnJobSchema>;

/** What a turn's job returns. */
export const turnAnswerSchema = z.strictObject({
  outcome: sha256Schema,
  /** Wall time of the turn; null where it was not trained to its end. */
  milliseconds: z.number().nonnegative().nullable(),
});

export type TurnAnswer = z.infer<typeof turnAnswerSchema>;

/** Work done since the turn began. */
export const turnProgressSchema = z.strictObject({
  env_steps: z.int(),
  learn_steps: z.int(),
  /** Mean return of the training episodes that ended; null when none did. */
  score: z.number().nullable(),
  /** Artifact of how the turn ended; null while it has not. */
  outcome: sha256Schema.nullable(),
});

export type TurnProgress = z.infer<typeof turnProgressSchema>;
