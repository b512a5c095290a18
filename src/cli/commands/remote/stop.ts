import { type CliIo, EXIT } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { clientOf, URL_OPTION } from "./client.ts";

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
