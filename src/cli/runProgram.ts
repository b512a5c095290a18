/** A command line program: it finds the command, runs it, and reports errors. */
import { VERSION } from "../specs/messages.ts";
import { reasonOf } from "../storage/files.ts";
import { CliError, type CliIo, EXIT, exitCodeOf, jsonLine, usageError } from "./CliIo.ts";
import { type Command, CommandLine, didYouMean, optionText, usageLine } from "./CommandLine.ts";

/** Rows of two columns, indented. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** The text that `PROGRAM --help` prints. */
function overview({ name: program, about, commands, notes }: Program): string {
  return [
    about,
    "",
    `Usage:\n${commands.map((command) => `  ${usageLine(program, command)}`).join("\n")}`,
    "",
    `Commands:\n${columns(commands.map(({ name, summary }) => [name, summary]))}`,
    "",
    `Options:\n${columns([
      ["--help", "Shows this, or the help of a command."],
      ["--version", "Shows the version."],
    ])}`,
    "",
    ...notes,
    "",
  ].join("\n");
}

/** The text that `PROGRAM COMMAND --help` prints. */
function commandHelp(program: string, command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, definition]) => [optionText(name, definition), definition.help] as const,
  );
  return [
    command.summary,
    "",
    `Usage: ${usageLine(program, command)}`,
    ...(options.length > 0 ? ["", `Options:\n${columns(options)}`] : []),
    "",
  ].join("\n");
}

/** A program that consists of commands. */
export interface Program {
  readonly name: string;
  /** One sentence for the help text. */
  readonly about: string;
  /** Command names have one or two words. */
  readonly commands: readonly Command[];
  /** Commands whose `--json` output is a stream of events. Their errors are events too. */
  readonly streams: readonly Command[];
  /** Lines at the end of the help text. */
  readonly notes: readonly string[];
}

const HELP = ["--help", "-h", "help"];

/** Runs one command line, without the program's name. Never rejects. */
export async function runProgram(program: Program, args: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(program, args, io);
  } catch (error) {
    const message = reasonOf(error);
    const { command } = commandOf(program, args);
    if (command && program.streams.includes(command) && args.includes("--json")) {
      jsonLine(io.stdout, { event: "error", message });
      if (error instanceof CliError && error.lastEvent) jsonLine(io.stdout, error.lastEvent);
    }
    io.stderr.write(`${program.name}: ${message}\n`);
    if (process.env.DEBUG && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
    return exitCodeOf(error);
  }
}

/** The command that a line begins with, and the remaining words. A command's name has one or two words. */
function commandOf(
  { commands }: Program,
  words: readonly string[],
): {
  readonly command?: Command;
  readonly rest: readonly string[];
} {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(" ");
    const command = commands.find((known) => known.name === name);
    if (command) return { command, rest: words.slice(count) };
  }
  return { rest: words.slice(1) };
}

async function dispatch(program: Program, args: readonly string[], io: CliIo): Promise<number> {
  const [name, ...words] = args;
  if (name === undefined) {
    io.stderr.write(overview(program));
    return EXIT.usage;
  }
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  const isHelp = HELP.includes(name);
  const { command, rest } = commandOf(program, isHelp ? words : args);
  const group = program.commands.filter((known) => known.name.startsWith(`${isHelp ? words[0] : name} `));
  const asksHelp = rest.some((arg) => arg === "--help" || arg === "-h");
  if (isHelp || ((command || group.length > 0) && asksHelp)) {
    io.stdout.write(
      command
        ? commandHelp(program.name, command)
        : overview(group.length > 0 ? { ...program, commands: group } : program),
    );
    return EXIT.ok;
  }
  if (command) return command.run(new CommandLine(command, rest, program.name), io);
  throw unknownCommand(program, name, rest[0], group);
}

function unknownCommand(
  program: Program,
  name: string,
  second: string | undefined,
  group: readonly Command[],
): CliError {
  if (group.length === 0) {
    // For a group of commands, only the shared first word.
    const known = [...new Set(program.commands.map((command) => command.name.split(" ")[0] ?? ""))];
    const allowed = known.join(", ");
    return usageError(
      `unknown command "${name}"; allowed: ${allowed}; see ${program.name} --help${didYouMean(name, known)}`,
    );
  }
  const known = group.map((command) => command.name.slice(name.length + 1));
  const found = second === undefined ? "nothing" : `"${second}"`;
  return usageError(
    `${name}: found ${found}, allowed ${known.join(", ")}${didYouMean(second ?? "", known)}; see ${program.name} ${name} --help`,
  );
}

/** Stack traces of an error and its causes. */
function traceOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${traceOf(error.cause)}` : own;
}
