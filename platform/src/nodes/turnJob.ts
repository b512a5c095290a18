/** A member's turn as a job. All large parts are artifacts. */
import { z } from "zod";
import { VERSION } from "../../../src/hosting/index.ts";
import { sha256Schema } from "../artifacts/ArtifactStore.ts";

/** One worker's claim of a run. */
export interface Attempt {
  /** ID of the run. */
  readonly run: string;
  readonly attempt: number;
}

/** Name of an attempt, used for its queue and for the directory of its turn artifacts. */
export const attemptName = ({ run, attempt }: Attempt): string => `${run}-${attempt}`;

/** Parses the name of an attempt. @returns null for any other text. */
export function attemptOf(name: string): Attempt | null {
  const [, run, attempt] = /^([0-9a-f-]{36})-(\d{1,9})$/.exec(name) ?? [];
  return run === undefined ? null : { run, attempt: Number(attempt) };
}

export const turnQueueName = (attempt: Attempt): string => `turns-${VERSION}-${attemptName(attempt)}`;

const count = z.int().nonnegative();

export const turnJobSchema = z.strictObject({
  generation: count,
  slot: count,
  /** The turn is an evaluation, of which a generation may have one besides the member's turn. */
  evaluates: z.literal(true).exactOptional(),
  /** Artifact of the turn. */
  turn: sha256Schema,
  /** Artifact of the replay buffers' contents at the start of the generation. */
  history: sha256Schema,
});

export type TurnJob = z.infer<typeof turnJobSchema>;

/** The return value of a turn's job. */
export const turnAnswerSchema = z.strictObject({
  outcome: sha256Schema,
  /** Wall time of the turn; null if it was not trained to its end. */
  milliseconds: z.number().nonnegative().nullable(),
});

export type TurnAnswer = z.infer<typeof turnAnswerSchema>;

/** Work done since the turn began. */
export const turnProgressSchema = z.strictObject({
  env_steps: z.int(),
  learn_steps: z.int(),
  /** Mean return of the training episodes that ended; null if none did. */
  score: z.number().nullable(),
  /** Artifact of the turn's outcome; null while the turn is running. */
  outcome: sha256Schema.nullable(),
});

export type TurnProgress = z.infer<typeof turnProgressSchema>;
