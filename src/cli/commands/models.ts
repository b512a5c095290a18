import {
  type CachedRepository,
  fetchRepository,
  type HubListing,
  listCached,
  removeCached,
} from "../../hub/index.ts";
import { listHubRows } from "../../llm/environments.ts";
import { listHubModel } from "../../llm/models.ts";
import { listingText } from "../../training/workloads.ts";
import { CliError, type CliIo, EXIT, jsonLine, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";

const JSON_OPTION = { json: { help: "Prints one JSON object per line." } };
const DATASET = { help: "The id is that of a data set." };

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export const listModels: Command = {
  name: "models list",
  summary: "Lists the models and data sets of the Hugging Face hub in the cache.",
  operands: [],
  options: JSON_OPTION,
  run: async (line, { stdout, store }) => {
    const found = [...(await listCached("model", store)), ...(await listCached("dataset", store))];
    if (line.flag("json")) for (const one of found) jsonLine(stdout, one);
    else
      stdout.write(
        found.length === 0 ? "nothing is in the cache\n" : `${found.map(cachedText).join("\n")}\n`,
      );
    return EXIT.ok;
  },
};

const cachedText = (cached: CachedRepository): string =>
  cached.complete
    ? `${listingText(cached)}, in ${cached.folder}`
    : `${cached.kind} ${cached.id}: ${megabytes(cached.bytes)} of a download that is not complete, in ${cached.folder}`;

export const fetchModel: Command = {
  name: "models fetch",
  summary: "Downloads a model or the rows of a data set from the Hugging Face hub into the cache.",
  operands: ["ID"],
  options: {
    dataset: DATASET,
    config: { value: "NAME", help: "With --dataset: the configuration (default: the usual one)." },
    split: { value: "NAME", help: "With --dataset: the split (default: train)." },
    hub: {
      value: "URL",
      help: "Address of the hub (default: RLKIT_HUB, HF_ENDPOINT, or https://huggingface.co). A token is read from HF_TOKEN.",
    },
    ...JSON_OPTION,
  },
  run: runFetch,
};

async function runFetch(line: CommandLine, io: CliIo): Promise<number> {
  const { store, stdout, stderr } = io;
  const json = line.flag("json");
  const ending = new AbortController();
  const options = { store, hub: line.text("hub"), signal: ending.signal };
  const listing = await listed(line, options);
  if (json)
    jsonLine(stdout, { event: "download", name: listingText(listing), received: 0, total: listing.bytes });
  else stdout.write(`${listingText(listing)}\n`);
  const isTerminal = stderr.isTTY === true;
  const release = io.onInterrupt(() => ending.abort());
  try {
    const folder = await fetchRepository(listing, {
      ...options,
      onProgress: (progress) => {
        if (json) jsonLine(stdout, { event: "download", ...progress });
        else if (isTerminal)
          stderr.write(`\r${megabytes(progress.received)} of ${megabytes(progress.total)}`);
      },
    });
    if (json) jsonLine(stdout, { event: "end", path: folder });
    else stdout.write(`${isTerminal ? "\n" : ""}${folder}\n`);
    return EXIT.ok;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    throw new CliError("stopped; what has arrived is kept, and fetching again resumes", EXIT.interrupted, {
      cause: error,
    });
  } finally {
    release();
  }
}

function listed(line: CommandLine, options: Parameters<typeof listHubModel>[1]): Promise<HubListing> {
  const id = line.operand(0);
  const [hf_config, hf_split] = [line.text("config"), line.text("split")];
  if (line.flag("dataset")) return listHubRows({ hf_dataset_id: id, hf_config, hf_split }, options);
  const surplus = hf_config === null ? (hf_split === null ? null : "--split") : "--config";
  if (surplus !== null)
    throw usageError(`models fetch: ${surplus} is for data sets; add --dataset, or leave it out`);
  return listHubModel(id, options);
}

export const deleteModel: Command = {
  name: "models delete",
  summary: "Deletes a model or a data set of the Hugging Face hub from the cache.",
  operands: ["ID"],
  options: { dataset: DATASET },
  run: async (line, { stdout, store }) => {
    const id = line.operand(0);
    const kind = line.flag("dataset") ? "dataset" : "model";
    if (!(await removeCached(kind, id, store)))
      throw usageError(
        `models delete: ${id}: there is no such ${kind} in the cache; rlkit models list shows all`,
      );
    stdout.write(`deleted ${kind} ${id}\n`);
    return EXIT.ok;
  },
};
