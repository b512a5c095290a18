import { type CliIo, EXIT } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { jsonLine } from "../../jsonLines.ts";
import { clientOf, URL_OPTION } from "./client.ts";

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
