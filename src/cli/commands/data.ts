import { type Dataset, hubFolder } from "../../datasets/index.ts";
import { normalisedReturn } from "../../datasets/view.ts";
import { describeSpace } from "../../rl/spaces.ts";
import { openGiven } from "../../training/plan.ts";
import { type CliIo, EXIT, jsonLine, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";

export const data: Command = {
  name: "data",
  summary: "Shows a data set (inspect PATH), or downloads one from the hub (fetch ID).",
  operands: ["inspect|fetch", "PATH|ID"],
  options: {
    hub: { value: "URL", help: "Address of the hub (default: RLKIT_HUB, or https://huggingface.co)." },
    json: {
      help: "Prints one JSON object per line: a summary of the data set, or download events and its path.",
    },
  },
  run: runData,
};

async function runData(line: CommandLine, io: CliIo): Promise<number> {
  const action = line.operand(0);
  if (action === "inspect") return inspect(line, io);
  if (action === "fetch") return fetchDataset(line, io);
  throw usageError(`data: found "${action}", allowed inspect, fetch`);
}

async function inspect(line: CommandLine, io: CliIo): Promise<number> {
  const { dataset, close } = await openGiven({ dataset_path: line.operand(1) }, { store: io.store });
  try {
    const found = summaryOf(dataset);
    if (line.flag("json")) jsonLine(io.stdout, found);
    else io.stdout.write(textOf(found));
    return EXIT.ok;
  } finally {
    close();
  }
}

type Summary = ReturnType<typeof summaryOf>;

function summaryOf(dataset: Dataset) {
  const episodes = dataset.episodes();
  const returns = episodes.map((episode) => episode.return);
  const mean = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  const { source, format, sha256, environment, total_steps, observation_space, action_space, notices } =
    dataset;
  return {
    path: source,
    format,
    sha256,
    environment,
    observation_space: observation_space && describeSpace(observation_space),
    action_space: action_space && describeSpace(action_space),
    episodes: episodes.length,
    terminated: episodes.filter(({ end }) => end === "terminated").length,
    steps: total_steps,
    return: {
      mean,
      min: returns.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      max: returns.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    },
    reference_scores: dataset.reference_scores ?? null,
    normalised_return: normalisedReturn(mean, dataset),
    notices,
  };
}

function textOf({
  path,
  format,
  sha256,
  environment,
  observation_space,
  action_space,
  notices,
  ...numbers
}: Summary): string {
  const { episodes, terminated, steps } = numbers;
  const { mean, min, max } = numbers.return;
  const { reference_scores: scale, normalised_return: points } = numbers;
  const lines = [
    `${path}: ${format}, ${episodes} episodes (${terminated} terminated), ${steps} steps`,
    `mean return ${mean.toFixed(2)}, min ${min.toFixed(2)}, max ${max.toFixed(2)}`,
    scale && points !== null
      ? `normalised ${points.toFixed(1)} (0 at ${scale.min.toFixed(2)}, 100 at ${scale.max.toFixed(2)})`
      : null,
    environment === null ? null : `environment ${environment}`,
    observation_space === null ? null : `observations: ${observation_space}`,
    action_space === null ? null : `actions: ${action_space}`,
    `SHA-256 ${sha256}`,
    ...notices.map((notice) => `notice: ${notice}`),
  ];
  return `${lines.filter((text) => text !== null).join("\n")}\n`;
}

async function fetchDataset(line: CommandLine, io: CliIo): Promise<number> {
  const json = line.flag("json");
  const isTerminal = io.stderr.isTTY === true;
  const path = await hubFolder(line.operand(1), {
    remote: true,
    hub: line.text("hub"),
    store: io.store,
    onEvent: (event) => {
      if (json) jsonLine(io.stdout, event);
      else if (isTerminal) io.stderr.write(`\r${event.received} of ${event.total ?? "?"} bytes`);
    },
  });
  if (json) jsonLine(io.stdout, { event: "end", path });
  else io.stdout.write(`${isTerminal ? "\n" : ""}${path}\n`);
  return EXIT.ok;
}
