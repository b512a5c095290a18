import { z } from "zod";
import type { RemoteClient, RemoteRunEvent } from "../../../remote/index.ts";
import { formatCount, formatValue } from "../../../tracking/clients.ts";
import { type CliIo, EXIT, jsonLine } from "../../CliIo.ts";
import type { Command } from "../../CommandLine.ts";
import { clientOf, URL_OPTION } from "./runs.ts";

/** Fields of a generation event that the text shows. JSON has null for a fitness that is not finite. */
const Generation = z.object({
  generation: z.number(),
  global_step: z.number(),
  fitnesses: z.array(z.number().nullable()),
});
const State = z.object({ state: z.string(), reason: z.string().nullish() });
const Checkpoint = z.object({ generation: z.number() });
const Said = z.object({ message: z.string() });

function generationText(data: unknown): string | null {
  const read = Generation.safeParse(data);
  if (!read.success) return null;
  const { generation, global_step, fitnesses } = read.data;
  const known = fitnesses.filter((fitness) => fitness !== null);
  const best = known.length === 0 ? Number.NaN : Math.max(...known);
  return `generation ${generation}: ${formatCount(global_step)} steps, best fitness ${formatValue(best)}`;
}

function stateText(data: unknown): string | null {
  const read = State.safeParse(data);
  if (!read.success) return null;
  return read.data.reason ? `${read.data.state}: ${read.data.reason}` : read.data.state;
}

function checkpointText(data: unknown): string | null {
  const read = Checkpoint.safeParse(data);
  return read.success ? `checkpoint of generation ${read.data.generation}` : null;
}

function otherText(event: string, data: unknown): string | null {
  const read = Said.safeParse(data);
  return read.success ? `${event}: ${read.data.message}` : null;
}

const TEXTS: Readonly<Record<string, (data: unknown) => string | null>> = {
  generation: generationText,
  state: stateText,
  checkpoint: checkpointText,
};

/**
 * One line of text for an event; for an event of an unknown kind, its name and data.
 * @returns null for progress within a generation, which is reported several times a second.
 */
function eventText({ event, data }: RemoteRunEvent): string | null {
  if (event === "progress") return null;
  const text = Object.hasOwn(TEXTS, event) ? TEXTS[event]?.(data) : otherText(event, data);
  return text ?? `${event} ${JSON.stringify(data)}`;
}

export const watch: Command = {
  name: "remote watch",
  summary: "Follows a remote run until it ends; Ctrl-C stops watching but not the run.",
  operands: ["EXPERIMENT"],
  options: {
    after: { value: "N", help: "Sequence number of the last event already seen (default: show all)." },
    ...URL_OPTION,
    json: { help: "Prints one JSON object per line: {seq, event, data}." },
  },
  run: (line, io) =>
    watchRun(clientOf(line), line.operand(0), io, {
      json: line.flag("json"),
      after: line.integer("after", 0),
    }),
};

interface Watching {
  readonly json: boolean;
  /** Number of the last event already seen; null for none. */
  readonly after: number | null;
}

/**
 * Exit code: 0 for a run that finished or was stopped, 1 for a failed run, 130 if the user stopped watching.
 */
export async function watchRun(
  client: RemoteClient,
  experiment: string,
  io: CliIo,
  { json, after }: Watching,
): Promise<number> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort());
  let last: RemoteRunEvent | null = null;
  try {
    const events = client.watchExperiment(experiment, {
      last_event_id: after,
      signal: stop.signal,
      onLost: ({ detail }) => io.stderr.write(`rlkit: ${detail}; reconnecting\n`),
    });
    for await (const event of events) {
      last = event;
      const text = json ? null : eventText(event);
      if (json) jsonLine(io.stdout, event);
      else if (text !== null) io.stdout.write(`${text}\n`);
    }
  } finally {
    release();
  }
  if (stop.signal.aborted) {
    io.stderr.write(`rlkit: ${experiment} continues; rlkit remote stop ${experiment} stops it\n`);
    return EXIT.interrupted;
  }
  return last?.event === "state" && last.data.state === "failed" ? EXIT.failed : EXIT.ok;
}
