import "../../workers/index.ts";
import { availableParallelism } from "node:os";
import { explanationText, type MutationExplanation } from "../../tracking/history.ts";
import { Accelerator, explainMutation } from "../../training/index.ts";
import { type CliIo, EXIT, jsonLine } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";

export const explain: Command = {
  name: "explain",
  summary: "Trains a member of a run again with and without one of its mutations, to tell what that did.",
  operands: ["RUN"],
  options: {
    mutation: {
      value: "GENERATION/SLOT",
      help: "The mutation (default: the one with the largest gain on the champion's line, for which the run is trained again).",
    },
    seeds: { value: "N", help: "Number of new seeds (default: 10)." },
    generations: { value: "N", help: "Generations that the member trains for (default: 1)." },
    workers: { value: "N", help: "Worker threads for generations before it (default: one per core)." },
    ...MODULE_OPTION,
    json: { help: "Prints one JSON object." },
  },
  run: runExplain,
};

async function runExplain(line: CommandLine, io: CliIo): Promise<number> {
  const modules = await loadGivenModule(line);
  const [mutation, seeds] = [line.text("mutation"), line.integer("seeds", 1)];
  const generations = line.integer("generations", 1);
  const workers = line.integer("workers", 1) ?? availableParallelism();
  const found = await explainMutation(line.operand(0), {
    ...(mutation !== null && { mutation }),
    ...(seeds !== null && { seeds }),
    ...(generations !== null && { generations }),
    accelerator: new Accelerator({ workers, modules }),
    store: io.store,
    onProgress: (message) => void io.stderr.write(`${message}\n`),
  });
  if (line.flag("json")) jsonLine(io.stdout, found);
  else io.stdout.write(textOf(found));
  return EXIT.ok;
}

const number = (value: unknown): string =>
  typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value);

const signed = (value: number): string => `${value > 0 ? "+" : ""}${number(value)}`;

function textOf(found: MutationExplanation): string {
  const { generation, slot, index, parent, mutation, hyperparameters, own_seed } = found;
  const moves = Object.entries(hyperparameters).map(
    ([name, { from, to }]) => `${name} ${number(from)} -> ${number(to)}`,
  );
  const what = moves.length > 0 ? moves.join(", ") : mutation;
  return [
    `Mutation ${generation}/${slot} (${mutation}): member ${index}, a copy of ${parent ?? "none"}: ${what}`,
    `In this run: ${number(own_seed.with_mutation)} with it, ${number(own_seed.without)} without it (${signed(own_seed.difference)})`,
    explanationText(found, signed),
    "",
  ].join("\n");
}
