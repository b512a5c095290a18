import { parseManifest, SpecError } from "../../../manifests/index.ts";
import { type RemoteClient, RemoteTrainer, type SubmitEvent } from "../../../remote/index.ts";
import { CliError, type CliIo, EXIT, jsonLine, readManifestFile } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { clientOf, URL_OPTION } from "./runs.ts";
import { watchRun } from "./watch.ts";

export const submit: Command = {
  name: "remote submit",
  summary: "Submits a manifest as a training job to a remote platform.",
  operands: ["MANIFEST"],
  options: {
    name: { value: "NAME", help: "Name of the experiment (default: chosen by the platform)." },
    project: { value: "NAME", help: "Project of the experiment (default: chosen by the platform)." },
    resource: { value: "ID", help: "Kind of machine to train on (default: chosen by the platform)." },
    nodes: { value: "N", help: "Machines that the population is spread over, from 1." },
    "reward-file": {
      value: "FILE",
      help: "Reward module of a job on a reasoning data set, at most 256 KiB.",
    },
    completion: { value: "TEXT", help: "A completion to try the reward module on." },
    watch: { help: "Follows the run until it ends." },
    ...URL_OPTION,
    json: {
      help: "Prints one JSON object per line: the steps of the submission, then {event: submitted, ...}.",
    },
  },
  run: runSubmit,
};

async function runSubmit(line: CommandLine, io: CliIo): Promise<number> {
  const json = line.flag("json");
  const path = line.operand(0);
  const client = clientOf(line);
  const trainer = await trainerFrom(path, client, io);
  const taken = await trainer.train({
    experiment_name: line.text("name"),
    project: line.text("project"),
    resource_id: line.text("resource"),
    num_nodes: line.integer("nodes", 1),
    reward_file: line.text("reward-file"),
    completion: line.text("completion"),
    onEvent: (event) => {
      if (json) jsonLine(io.stdout, { event: event.kind, ...event });
      else io.stderr.write(`${messageOf(event)}\n`);
    },
  });
  const name = typeof taken.experiment_name === "string" ? taken.experiment_name : null;
  if (json) jsonLine(io.stdout, { event: "submitted", ...taken });
  else io.stdout.write(`${name ?? JSON.stringify(taken)}\n`);
  return line.flag("watch") && name !== null ? watchRun(client, name, io, { json, after: null }) : EXIT.ok;
}

/** @throws CliError naming the file, for an invalid manifest. */
async function trainerFrom(path: string, client: RemoteClient, { store }: CliIo): Promise<RemoteTrainer> {
  const text = await readManifestFile(store, path);
  try {
    return await RemoteTrainer.fromManifest(parseManifest(text, { name: path }), { client });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new CliError(`${path}: ${error.message}`, EXIT.failed, { cause: error });
  }
}

function messageOf(event: SubmitEvent): string {
  if (event.kind === "check") return `${event.name}: ${event.success ? "right" : (event.error ?? "wrong")}`;
  return event.kind === "status" ? `${event.status}: ${event.message}` : event.message;
}
