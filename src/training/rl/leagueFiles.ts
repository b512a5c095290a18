/** A run's league in a checkpoint: a record in `run.json`, and a file for each past self. */
import { z } from "zod";
import { decodeAgent, encodeAgent } from "../files/agentFile.ts";
import { missingFile } from "../loop/runFiles.ts";
import type { League } from "./league.ts";

/** NaN is null in JSON. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

export const leagueJson = z.object({
  past: z.array(z.object({ id: z.string(), generation: z.int().nonnegative() })),
  encounters: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      games: z.int().nonnegative(),
      points: z.number().nonnegative(),
    }),
  ),
  players: z.array(z.object({ id: z.string(), rating: figure, error: figure })),
  /** Leagues without a curriculum, and those stored before there were any, are in their only stage. */
  stage: z.int().nonnegative().default(0),
});

/** Name of a past self's file. */
const pastFile = (generation: number): string => `past_${generation}.safetensors`;

export const encodeLeague = ({ past, stage, ...record }: League) => ({
  record: {
    past: past.map(({ id, generation }) => ({ id, generation })),
    ...record,
    ...(stage > 0 && { stage }),
  },
  files: past.map(({ generation, agent }) => [pastFile(generation), encodeAgent(agent)] as const),
});

/** @throws StorageError "corrupt" for a missing or damaged file. */
export function decodeLeague(
  { past, ...record }: z.output<typeof leagueJson>,
  files: ReadonlyMap<string, Uint8Array>,
  dir: string,
): League {
  return {
    ...record,
    past: past.map(({ id, generation }) => {
      const file = pastFile(generation);
      const bytes = files.get(file);
      if (!bytes) throw missingFile(dir, file);
      return { id, generation, agent: decodeAgent(bytes, `${dir}/${file}`, { verified: true }).agent };
    }),
  };
}
