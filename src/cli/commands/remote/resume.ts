import { usageError } from "../../CliError.ts";
import { type CliIo, EXIT } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { jsonLine } from "../../jsonLines.ts";
import { clientOf, URL_OPTION } from "./client.ts";

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
