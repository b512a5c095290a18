import { VERSION } from "../../../src/specs/messages.ts";
import type { QueuePlace } from "../jobs/Queues.ts";
import type { WorkerRecord } from "./WorkerTable.ts";

const QUEUE_NAMES: Readonly<Record<QueuePlace, string>> = { database: "the database", redis: "Redis" };

/** Why a worker cannot take runs of a resource that are queued at a place, or null if it can. */
export function unableReason(
  { host, pid, device, version, queue }: WorkerRecord,
  { resource_id, place }: { readonly resource_id: string; readonly place: QueuePlace },
): string | null {
  const worker = `the worker ${pid} on ${host}`;
  if (device !== resource_id) return `${worker} takes runs of the resource "${device}"`;
  if (version !== VERSION) return `${worker} has version ${version}, allowed ${VERSION}`;
  if (queue !== place)
    return `${worker} looks for jobs in ${QUEUE_NAMES[queue]}, but they are in ${QUEUE_NAMES[place]} (--queue)`;
  return null;
}
