import { unpackCheckpoint } from "../../../storage/checkpoints.ts";
import { isPlainRelativePath } from "../../../storage/files.ts";
import { joinPath } from "../../../storage/index.ts";
import { ELITE_FILE } from "../../../training/loop.ts";
import { CliError, type CliIo, EXIT, usageError } from "../../CliIo.ts";
import type { Command, CommandLine } from "../../CommandLine.ts";
import { requireOwnDirectory } from "../../outputDirectory.ts";
import { clientOf, URL_OPTION } from "./runs.ts";

export const pull: Command = {
  name: "remote pull",
  summary: "Downloads the elite and the newest checkpoint of a remote run.",
  operands: ["EXPERIMENT"],
  options: {
    out: { value: "DIR", help: "Directory to write to (default: the experiment's name)." },
    checkpoint: { value: "NAME", help: "Downloads this checkpoint instead of the newest." },
    ...URL_OPTION,
  },
  run: runPull,
};

async function runPull(line: CommandLine, io: CliIo): Promise<number> {
  const experiment = line.operand(0);
  const client = clientOf(line);
  const dir = line.text("out") ?? directoryOf(experiment);
  await requireOwnDirectory(io.store, dir, null);
  const elite = await client.downloadElite(experiment);
  const { name, zip } = await client.downloadCheckpoint(experiment, line.text("checkpoint"));
  if (!isName(name))
    throw new CliError(
      `the platform calls a checkpoint "${name}", which is not a valid directory name`,
      EXIT.failed,
    );
  const checkpoint = joinPath(dir, name);
  await unpackCheckpoint(zip, io.store, checkpoint, name);
  await io.store.write(joinPath(dir, ELITE_FILE), elite);
  io.stdout.write(`${joinPath(dir, ELITE_FILE)}\n${checkpoint}\n`);
  return EXIT.ok;
}

/** Whether the text is safe to use as a directory name. */
const isName = (text: string): boolean => isPlainRelativePath(text) && !text.includes("/");

/** @throws CliError if the experiment's name is not a valid directory name. */
function directoryOf(experiment: string): string {
  if (isName(experiment)) return experiment;
  throw usageError(`--out: "${experiment}" is not a valid directory name; give one`);
}
