/** The events of a run, numbered 1, 2, 3 … in commit order. */
import { z } from "zod";
import type { GenerationReport } from "../../../src/tracking/index.ts";
import type { Query } from "../database/Database.ts";
import { RUNS_CHANNEL, type RunStatus } from "./RunRow.ts";

/** The event of a changed state. @param key Cause of the change, unique in the run. */
export const stateEvent = (key: string, state: RunStatus, reason: string | null): NewRunEvent => ({
  kind: "state",
  key: `state:${key}`,
  payload: { state, reason },
});

/** Thrown if another worker has since claimed the run, so this worker may no longer write to it. */
export class LostRunError extends Error {
  constructor(run: string) {
    super(`run ${run} was claimed by another worker`);
    this.name = "LostRunError";
  }
}

const runEventKindSchema = z.enum(["state", "generation", "checkpoint", "warning"]);

type RunEventKind = z.infer<typeof runEventKindSchema>;

/** An event to append. */
interface NewRunEvent {
  readonly kind: RunEventKind;
  /** Key, unique in the run. A repeated event has the same key and is stored only once. */
  readonly key: string;
  readonly payload: object;
}

const rowSchema = z.object({
  seq: z.coerce.number(),
  kind: runEventKindSchema,
  payload: z.looseObject({}),
  at: z.date(),
});

export type RunEvent = z.infer<typeof rowSchema>;

/** The writer: the attempt that has the run, or null for the platform itself. */
interface Fence {
  readonly run: string;
  readonly attempt: number | null;
}

/**
 * Locks the run's row for this transaction, so that events are numbered in order.
 * @throws LostRunError if another attempt has the run, or the run does not exist.
 */
export async function lockRun(query: Query, { run, attempt }: Fence): Promise<void> {
  const [row] = await query("SELECT attempt FROM runs WHERE id = $1 FOR UPDATE", [run]);
  if (!row || (attempt !== null && row.attempt !== attempt)) throw new LostRunError(run);
}

/** The payload of the event with this key, or null if there is none. */
export async function toldBefore(query: Query, run: string, key: string): Promise<object | null> {
  const [row] = await query("SELECT payload FROM run_events WHERE run = $1 AND key = $2", [run, key]);
  return row ? z.looseObject({}).parse(row.payload) : null;
}

/** Adds an event unless its key exists. The run's row must be locked. */
export async function appendEvent(
  query: Query,
  run: string,
  { kind, key, payload }: NewRunEvent,
): Promise<void> {
  if (await toldBefore(query, run, key)) return;
  await query(
    `WITH next AS (UPDATE runs SET last_seq = last_seq + 1 WHERE id = $1 RETURNING last_seq)
     INSERT INTO run_events (run, seq, key, kind, payload) SELECT $1, last_seq, $2, $3, $4 FROM next`,
    [run, key, kind, JSON.stringify(payload)],
  );
  await query("SELECT pg_notify($1, $2)", [RUNS_CHANNEL, run]);
}

/** Events after `seq`, at most `limit`, in order. */
export async function eventsAfter(
  query: Query,
  run: string,
  seq: number,
  limit: number,
): Promise<RunEvent[]> {
  const rows = await query(
    "SELECT seq, kind, payload, at FROM run_events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [run, seq, limit],
  );
  return rows.map((row) => rowSchema.parse(row));
}

/** A report as stored JSON, with null for NaN and infinities. Checks only the fields of metric tables. */
const generationSchema = z.looseObject({
  event: z.literal("generation"),
  generation: z.int(),
  global_step: z.number(),
  members: z.array(z.looseObject({ metrics: z.record(z.string(), z.number().nullable()) })),
});
const isReport = (payload: unknown): boolean => generationSchema.safeParse(payload).success;
const reportSchema = z.custom<GenerationReport>(isReport, "is not a generation's report");

/** The reports of a run's generations, oldest first. */
export async function generationReports(query: Query, run: string): Promise<GenerationReport[]> {
  const rows = await query(
    "SELECT payload FROM run_events WHERE run = $1 AND kind = 'generation' ORDER BY seq",
    [run],
  );
  return rows.map(({ payload }) => reportSchema.parse(payload));
}
