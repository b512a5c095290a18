import { RemoteClient } from "../../../remote/index.ts";
import { type CliIo, EXIT, jsonLine, usageError } from "../../CliIo.ts";
import type { Command, CommandLine, OptionDefinition } from "../../CommandLine.ts";

export const URL_OPTION: { readonly url: OptionDefinition } = {
  url: {
    value: "URL",
    help: "Address of the platform (default: RLKIT_BASE_URL, or http://127.0.0.1:8400). The key is read from RLKIT_API_KEY.",
  },
};

/** @throws RemoteConfigError for an invalid address; RemoteAuthError for a key that no header can carry. */
export const clientOf = (line: CommandLine): RemoteClient => new RemoteClient({ base_url: line.text("url") });

export const list: Command = {
  name: "remote list",
  summary: "Lists a project's experiments on a remote platform.",
  operands: ["PROJECT"],
  options: { ...URL_OPTION, json: { help: "Prints one JSON object per line: an experiment." } },
  run: runList,
};

/** Columns of the list. A column is left out if the platform sends no values for it. */
const SHOWN = ["experiment_name", "state", "generation", "global_step", "best_fitness"] as const;

async function runList(line: CommandLine, io: CliIo): Promise<number> {
  const experiments = await clientOf(line).listExperiments(line.operand(0));
  if (line.flag("json")) {
    for (const experiment of experiments) jsonLine(io.stdout, experiment);
    return EXIT.ok;
  }
  const cells = experiments.map((experiment) => SHOWN.map((key) => textOf(experiment[key])));
  const used = SHOWN.map((_, column) => column).filter((column) => cells.some((row) => row[column] !== ""));
  const rows = [SHOWN, ...cells].map((row) => used.map((column) => row[column] ?? ""));
  const widths = used.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  io.stdout.write(experiments.length === 0 ? "no experiments\n" : `${lines.join("\n")}\n`);
  return EXIT.ok;
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

export const resume: Command = {
  name: "remote resume",
  summary: "Resumes a remote run from its newest checkpoint.",
  operands: ["EXPERIMENT"],
  options: {
    "max-steps": { value: "N", help: "Total environment steps per member, including those already taken." },
    ...URL_OPTION,
    json: { help: "Prints the platform's answer as one JSON object." },
  },
  run: runResume,
};

async function runResume(line: CommandLine, io: CliIo): Promise<number> {
  const experiment = line.operand(0);
  const max_steps = line.integer("max-steps", 1);
  if (max_steps === null)
    throw usageError(
      "--max-steps: found nothing, allowed integers from 1: the new total of steps per member",
    );
  const said = await clientOf(line).resumeExperiment(experiment, max_steps);
  if (line.flag("json")) jsonLine(io.stdout, said);
  else io.stdout.write(`${experiment} continues to ${max_steps} steps\n`);
  return EXIT.ok;
}

export const stop: Command = {
  name: "remote stop",
  summary: "Stops a remote run at the end of its generation; its results are kept.",
  operands: ["EXPERIMENT"],
  options: URL_OPTION,
  run: runStop,
};

async function runStop(line: CommandLine, io: CliIo): Promise<number> {
  const experiment = line.operand(0);
  await clientOf(line).stopExperiment(experiment);
  io.stdout.write(`${experiment} stops at the end of its generation\n`);
  return EXIT.ok;
}
