/** Parses a command's arguments and checks them against its definition. */
import { parseArgs } from "node:util";
import { nearest } from "../specs/messages.ts";
import { type CliIo, usageError } from "./CliIo.ts";

export interface OptionDefinition {
  /** Placeholder for the value in the help text; absent for a flag. */
  readonly value?: string;
  /** The value of the option without one; it then needs none. */
  readonly bare?: string;
  readonly help: string;
}

/** A command of a program: what its line may have, and what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments. Those in brackets, such as [FILE], come last and may be left out. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, OptionDefinition>>;
  /** Runs the command and resolves to its exit code. */
  readonly run: (line: CommandLine, io: CliIo) => Promise<number>;
}

/** The arguments of a command, checked. */
export class CommandLine {
  readonly #command: Command;
  readonly #operands: readonly string[];
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  /**
   * @param program Name of the program that has the command.
   * @throws CliError for unknown options, missing values, and too few or too many arguments.
   */
  constructor(command: Command, args: readonly string[], program: string) {
    this.#command = command;
    const { positionals, values } = parse(command, args);
    const { operands, name } = command;
    const required = operands.filter((operand) => !operand.startsWith("["));
    if (positionals.length < required.length) {
      const missing = required.slice(positionals.length).join(" ");
      throw usageError(`${name}: ${missing} is missing; usage: ${usageLine(program, command)}`);
    }
    if (positionals.length > operands.length) {
      const extra = positionals[operands.length];
      throw usageError(`${name}: unexpected argument "${extra}"; usage: ${usageLine(program, command)}`);
    }
    this.#operands = positionals;
    this.#values = values;
  }

  /** @param index Position in the command's operands. @returns "" for one that was left out. */
  operand(index: number): string {
    return this.#operands[index] ?? "";
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | null {
    const value = this.#values[name];
    if (value === "") throw usageError(`--${name}: the value is empty; ${this.#help(name)}`);
    return typeof value === "string" ? value : null;
  }

  /** @throws CliError when the value is not one of `choices`. */
  choice<T extends string>(name: string, choices: readonly T[]): T | null {
    const found = this.text(name);
    if (found === null) return null;
    const chosen = choices.find((choice) => choice === found);
    if (chosen !== undefined) return chosen;
    throw usageError(
      `--${name}: found "${found}", allowed ${choices.join(", ")}${didYouMean(found, choices)}`,
    );
  }

  /** @throws CliError unless the value is an integer of at least `least`, written plainly or as 10_000. */
  integer(name: string, least: number): number | null {
    const found = this.text(name);
    if (found === null) return null;
    const number = /^\d+(_\d+)*$/.test(found) ? Number(found.replaceAll("_", "")) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    const most = number > Number.MAX_SAFE_INTEGER ? ` to ${Number.MAX_SAFE_INTEGER}` : "";
    throw usageError(`--${name}: found "${found}", allowed integers from ${least}${most}`);
  }

  /** @throws CliError unless the value is a number from 0 to 1. */
  fraction(name: string): number | null {
    const found = this.text(name);
    if (found === null) return null;
    const number = Number(found);
    if (number >= 0 && number <= 1) return number;
    throw usageError(`--${name}: found "${found}", allowed 0 to 1`);
  }

  #help(name: string): string {
    return this.#command.options[name]?.help ?? "";
  }
}

/** An option with its placeholder, as help and usage show it. */
export function optionText(name: string, { value, bare }: OptionDefinition): string {
  if (value === undefined) return `--${name}`;
  return bare === undefined ? `--${name} ${value}` : `--${name} [${value}]`;
}

export const usageLine = (program: string, { name, operands, options }: Command): string =>
  [
    program,
    name,
    ...operands,
    ...Object.entries(options).map(([key, definition]) => `[${optionText(key, definition)}]`),
  ].join(" ");

export const didYouMean = (found: string, known: Iterable<string>): string => {
  const near = nearest(found, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
};

function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return parseArgs({ args: withBareValues(command, args), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw explained(error, command);
  }
}

/** Gives options the value that they may leave out, since Node's parser would take the next argument for it. */
function withBareValues({ options }: Command, args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, i) => {
    const { bare, value = "" } = (i < end && arg.startsWith("--") && options[arg.slice(2)]) || {};
    return bare === undefined || args[i + 1] === value ? arg : `${arg}=${bare}`;
  });
}

/** Replaces Node's messages for bad options, which are long and name no alternatives. */
function explained(error: unknown, { name: command, options }: Command): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const option = error instanceof Error ? (/'(?:-\w, )?(-[^'\s=]*)/.exec(error.message)?.[1] ?? "") : "";
  const names = Object.keys(options);
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const known = names.map((name) => `--${name}`);
    return usageError(
      `${command}: unknown option ${option}; allowed: ${known.join(", ")}${didYouMean(option, known)}`,
    );
  }
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    const definition = options[option.replace(/^--/, "")];
    if (definition?.value === undefined) return usageError(`${command}: ${option} takes no value`);
    return usageError(
      `${command}: ${option} needs a value: ${definition.help} (${option}=VALUE for one that starts with "-")`,
    );
  }
  return error;
}
