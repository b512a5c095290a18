import { listAlgorithms } from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import { listArchitectures } from "../../rl/networks.ts";
import { LISTED_KINDS } from "../../specs/messages.ts";
import { EXIT, usageError } from "../CliIo.ts";
import { type Command, didYouMean } from "../CommandLine.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";

const NAMES: Readonly<Record<(typeof LISTED_KINDS)[keyof typeof LISTED_KINDS], () => readonly string[]>> = {
  environments: listEnvironments,
  algorithms: () => listAlgorithms().map(({ name }) => name),
  architectures: () => listArchitectures().map(({ arch }) => arch),
};

const KINDS = Object.values(LISTED_KINDS);

export const list: Command = {
  name: "list",
  summary: `Prints all names of a kind, one per line; KIND is ${KINDS.slice(0, -1).join(", ")} or ${KINDS.at(-1)}.`,
  operands: ["KIND"],
  options: MODULE_OPTION,
  run: async (line, { stdout }) => {
    const found = line.operand(0);
    const kind = KINDS.find((known) => known === found);
    if (kind === undefined)
      throw usageError(`KIND: found "${found}", allowed ${KINDS.join(", ")}${didYouMean(found, KINDS)}`);
    await loadGivenModule(line);
    stdout.write(`${NAMES[kind]().join("\n")}\n`);
    return EXIT.ok;
  },
};
