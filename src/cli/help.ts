import { type Command, usageLine } from "./CommandLine.ts";

/** Rows of two columns, indented. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** What `rlkit --help` prints. */
export function overview(commands: readonly Command[]): string {
  return [
    "rlkit trains and evolves populations of reinforcement-learning agents.",
    "",
    `Usage:\n${commands.map((command) => `  ${usageLine(command)}`).join("\n")}`,
    "",
    `Commands:\n${columns(commands.map(({ name, summary }) => [name, summary]))}`,
    "",
    `Options:\n${columns([
      ["--help", "Shows this, or the help of a command."],
      ["--version", "Shows the version."],
    ])}`,
    "",
    "Exit codes: 0 done; 1 the manifest, checkpoint or run is not right; 2 the command line is not, or a file",
    "cannot be read or written, or what was printed was lost; 130 stopped by Ctrl-C. With DEBUG set, errors show",
    "where they came from; with RLKIT_NOHUP=1 a terminal that closes stops nothing, as under nohup.",
    "",
  ].join("\n");
}

/** What `rlkit COMMAND --help` prints. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, { value, help }]) => [value ? `--${name} ${value}` : `--${name}`, help] as const,
  );
  return [
    command.summary,
    "",
    `Usage: ${usageLine(command)}`,
    ...(options.length > 0 ? ["", `Options:\n${columns(options)}`] : []),
    "",
  ].join("\n");
}
