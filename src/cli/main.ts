/** The command line tool as a function: arguments in, exit code out. */
import { VERSION } from "../specs/version.ts";
import { reasonOf } from "../storage/storageError.ts";
import { CliError, exitCodeOf, usageError } from "./CliError.ts";
import { type CliIo, EXIT } from "./CliIo.ts";
import { type Command, CommandLine, didYouMean } from "./CommandLine.ts";
import { evaluate } from "./commands/evaluate.ts";
import { exportPolicy } from "./commands/export.ts";
import { schema } from "./commands/schema.ts";
import { train } from "./commands/train.ts";
import { ui } from "./commands/ui.ts";
import { validate } from "./commands/validate.ts";
import { commandHelp, overview } from "./help.ts";
import { jsonLine } from "./jsonLines.ts";

const COMMANDS: readonly Command[] = [train, validate, evaluate, exportPolicy, schema, ui];

const HELP = ["--help", "-h", "help"];

/** Commands whose `--json` output is a stream of events, so that an error is one too. */
const STREAMS: readonly string[] = [train.name, evaluate.name];

/** Runs one command line, without the program's name. Never rejects. */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = args;
  try {
    return await dispatch(name, rest, io);
  } catch (error) {
    const message = reasonOf(error);
    if (name !== undefined && STREAMS.includes(name) && rest.includes("--json")) {
      jsonLine(io.stdout, { event: "error", message });
      if (error instanceof CliError && error.lastEvent) jsonLine(io.stdout, error.lastEvent);
    }
    io.stderr.write(`rlkit: ${message}\n`);
    if (process.env.DEBUG && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
    return exitCodeOf(error);
  }
}

async function dispatch(name: string | undefined, rest: readonly string[], io: CliIo): Promise<number> {
  if (name === undefined) {
    io.stderr.write(overview(COMMANDS));
    return EXIT.usage;
  }
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  const wanted = HELP.includes(name) ? rest[0] : name;
  const command = COMMANDS.find((known) => known.name === wanted);
  if (HELP.includes(name) || (command && rest.some((arg) => arg === "--help" || arg === "-h"))) {
    io.stdout.write(command ? commandHelp(command) : overview(COMMANDS));
    return EXIT.ok;
  }
  if (!command) {
    const known = COMMANDS.map((c) => c.name);
    throw usageError(
      `unknown command "${name}"; allowed: ${known.join(", ")}; see rlkit --help${didYouMean(name, known)}`,
    );
  }
  return command.run(new CommandLine(command, rest), io);
}

/** Where an error and its causes came from. */
function traceOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${traceOf(error.cause)}` : own;
}
