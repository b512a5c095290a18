import { type Command, usageLine } from "./CommandLine.ts";
import type { Program } from "./runProgram.ts";

/** Rows of two columns, indented. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** The text that `PROGRAM --help` prints. */
export function overview({ name: program, about, commands, notes }: Program): string {
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
export function commandHelp(program: string, command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, { value, help }]) => [value ? `--${name} ${value}` : `--${name}`, help] as const,
  );
  return [
    command.summary,
    "",
    `Usage: ${usageLine(program, command)}`,
    ...(options.length > 0 ? ["", `Options:\n${columns(options)}`] : []),
    "",
  ].join("\n");
}
