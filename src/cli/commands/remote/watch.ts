import type { RemoteClient, RemoteRunEvent } from "../../../remote/index.ts";
import { type CliIo, EXIT } from "../../CliIo.ts";
import type { Command } from "../../CommandLine.ts";
import { jsonLine } from "../../jsonLines.ts";
import { clientOf, URL_OPTION } from "./client.ts";
import { eventText } from "./eventText.ts";

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
