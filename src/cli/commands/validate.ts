import { listEnvironments } from "../../rl/environments/index.ts";
import { manifestWarnings, SpecError, type SpecIssue, validateManifest } from "../../specs/index.ts";
import { runIssues } from "../../training/run/runIssues.ts";
import { CliError } from "../CliError.ts";
import { type CliIo, EXIT } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { jsonLine } from "../jsonLines.ts";
import { readManifestFile } from "../readManifestFile.ts";

export const validate: Command = {
  name: "validate",
  summary: "Checks a manifest without training.",
  operands: ["MANIFEST"],
  options: {
    json: { help: "Prints {ok, errors: [{path, message, line, column}]} instead of text." },
  },
  run: runValidate,
};

async function runValidate(line: CommandLine, io: CliIo): Promise<number> {
  const path = line.operand(0);
  const json = line.flag("json");
  const text = await readManifestFile(io.store, path).catch((error: unknown) => {
    if (json && error instanceof CliError) reportJson(io, [{ path: "", message: error.message }]);
    throw error;
  });
  const options = { environments: listEnvironments(), name: path, alsoCheck: runIssues };
  const result = validateManifest(text, options);
  if (!result.success) {
    if (json) reportJson(io, result.issues);
    else io.stderr.write(`${path}: ${new SpecError(result.issues, "manifest").message}\n`);
    return EXIT.failed;
  }
  for (const warning of [...result.translated, ...manifestWarnings(result.manifest)])
    io.stderr.write(`${path}: ${warning.path} ${warning.message}\n`);
  if (json) jsonLine(io.stdout, { ok: true });
  else io.stdout.write(`${path} is valid\n`);
  return EXIT.ok;
}

type Problem = Pick<SpecIssue, "path" | "message" | "line" | "column">;

function reportJson({ stdout }: CliIo, problems: readonly Problem[]): void {
  const errors = problems.map(({ path, message, line, column }) => ({ path, message, line, column }));
  jsonLine(stdout, { ok: false, errors });
}
