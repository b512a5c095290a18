import { usageError } from "../../CliError.ts";
import { type CliIo, EXIT } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { jsonLine } from "../../jsonLines.ts";
import { clientOf, URL_OPTION } from "./client.ts";

export const resume: Command = {
  name: "remote resume",
  summary: "Goes on with a remote run from its newest checkpoint.",
  operands: ["EXPERIMENT"],
  options: {
    "max-steps": { value: "N", help: "Environment steps of each member, those before counted." },
    ...URL_OPTION,
    json: { help: "Prints what the platform says, as one JSON object." },
  },
  run: runResume,
};

async function runResume(line: CommandLine, io: CliIo): Promise<number> {
  const experiment = line.operand(0);
  const max_steps = line.integer("max-steps", 1);
  if (max_steps === null)
    throw usageError("--max-steps: found nothing, allowed integers from 1: how far the run goes now");
  const said = await clientOf(line).resumeExperiment(experiment, max_steps);
  if (line.flag("json")) jsonLine(io.stdout, said);
  else io.stdout.write(`${experiment} goes on to ${max_steps} steps\n`);
  return EXIT.ok;
}
