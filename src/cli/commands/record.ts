import { requireDatasetId } from "../../datasets/kept.ts";
import {
  type Actor,
  agentActor,
  type MinariFiles,
  minariFiles,
  type RecordedEnvironment,
  recordEpisodes,
  recordGames,
  returnOf,
} from "../../datasets/record.ts";
import { requireSeed } from "../../evolution/random.ts";
import {
  isCompiled,
  loadEnvironment,
  make,
  type RegisteredEnvironment,
  writeGameFile,
} from "../../rl/environments.ts";
import { asRegistered, sandboxedLane, type UserEnvironment } from "../../sandbox/environments.ts";
import { joinPath } from "../../storage/index.ts";
import { CliError, type CliIo, EXIT, jsonLine, usageError } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import {
  ENVIRONMENT_OPTIONS,
  givenEnvironment,
  loadAgent,
  ownEnvironment,
  requireFit,
} from "../loadAgent.ts";
import { loadGivenModule, MODULE_OPTION } from "../modules.ts";

const STEPS = 10_000;
const SEED = 42;
const RANDOM = "random";
/** Ends the names of files of games. */
const GAMES = ".games";

export const record: Command = {
  name: "record",
  summary: "Records an agent's episodes as a data set in Minari format, or the moves of a game.",
  operands: ["AGENT|random"],
  options: {
    ...ENVIRONMENT_OPTIONS,
    steps: {
      value: "N",
      help: `Number of steps to record (default: ${STEPS}). The last episode is truncated.`,
    },
    epsilon: { value: "E", help: "Chance of a random action, 0 to 1 (default: 0)." },
    seed: { value: "S", help: `Random seed (default: ${SEED}).` },
    id: { value: "ID", help: "Id of the data set (default: rlkit/recorded-v0)." },
    out: {
      value: "DIR",
      help: `New folder for the data set; its files are DIR/data/main_data.hdf5 and metadata.json. A name that ends in ${GAMES} gets the moves of a game as text.`,
    },
    ...MODULE_OPTION,
    json: { help: "Prints one JSON object: episodes, steps, mean, ..." },
  },
  run: runRecord,
};

/** A registered environment, or one from a module. */
type Place = RegisteredEnvironment | UserEnvironment;

/** The acting agent and its environment. */
interface Playing {
  readonly place: Place;
  readonly actor: Actor | null;
  readonly algorithm: string;
  readonly release: () => void;
}

async function runRecord(line: CommandLine, io: CliIo): Promise<number> {
  await loadGivenModule(line);
  const steps = line.integer("steps", 1) ?? STEPS;
  const seed = requireSeed(line.integer("seed", 0) ?? SEED, "--seed");
  const epsilon = line.fraction("epsilon") ?? 0;
  const dataset_id = requireDatasetId(line.text("id") ?? "rlkit/recorded-v0");
  const out = line.text("out");
  if (out === null) throw usageError("record: --out is missing; name a new folder for the data set");
  const isText = out.endsWith(GAMES);
  const folder = isText ? out : joinPath(out, "data");
  if (await io.store.exists(folder))
    throw new CliError(`--out: ${folder} already exists; name a new one, or remove it`, EXIT.usage);
  const { place, actor, algorithm, release } = await playing(line, io);
  if (isText) {
    const games = gamesOf(place, { actor, steps, epsilon, seed }, release);
    await io.store.write(out, new TextEncoder().encode(games.text));
    if (line.flag("json"))
      jsonLine(io.stdout, { path: out, environment: place.id, games: games.count, steps, seed });
    else io.stdout.write(`${out}: ${games.count} games, ${steps} moves of ${algorithm} in ${place.id}\n`);
    return EXIT.ok;
  }
  const env = await opened(place);
  const recording = await recordEpisodes({
    env,
    environment: place.id,
    actor,
    algorithm: actor && epsilon > 0 ? `${algorithm}, epsilon ${epsilon}` : algorithm,
    steps,
    epsilon,
    seed,
  }).finally(() => {
    env.close?.();
    release();
  });
  await write(io, folder, await minariFiles(recording, { dataset_id }));

  const returns = recording.episodes.map(returnOf);
  const mean = returns.reduce((sum, x) => sum + x, 0) / returns.length;
  if (line.flag("json"))
    jsonLine(io.stdout, {
      path: out,
      dataset_id,
      environment: place.id,
      episodes: returns.length,
      steps,
      mean,
      seed,
    });
  else
    io.stdout.write(
      `${out}: ${returns.length} episodes, ${steps} steps of ${algorithm} in ${place.id}, mean return ${mean.toFixed(2)}\n`,
    );
  return EXIT.ok;
}

/** Games that an agent plays against itself, as text. @throws CliError for an environment without rules. */
function gamesOf(
  place: Place,
  options: Omit<Parameters<typeof recordGames>[0], "rules">,
  release: () => void,
): { readonly count: number; readonly text: string } {
  try {
    const rules = !("module" in place) && isCompiled(place) ? place.game?.rules : undefined;
    if (!rules)
      throw usageError(
        `--out: found a file of games for ${place.id}, allowed for rlkit's games, such as rlkit/TicTacToe`,
      );
    const games = recordGames({ rules, ...options });
    return { count: games.length, text: writeGameFile(rules, place.options ?? {}, games) };
  } finally {
    release();
  }
}

async function playing(line: CommandLine, io: CliIo): Promise<Playing> {
  const who = line.operand(0);
  const given = await givenEnvironment(line, io.store);
  if (who === RANDOM) {
    if (!given) throw usageError("record random: --environment is missing; name one");
    return { place: ofOneAgent(given), actor: null, algorithm: RANDOM, release: () => undefined };
  }
  const { agent: state, place: trained } = await loadAgent(io, who);
  const place = ofOneAgent(given ?? (await ownEnvironment(line, io.store, { path: who, place: trained })));
  requireFit(state, place, who);
  const { observation_space, action_space } = place;
  const actor = agentActor(state, { observation_space, action_space });
  return { place, actor, algorithm: state.algorithm, release: () => actor.release() };
}

/** @throws CliError for a multi-agent environment, which Minari's format does not support. */
function ofOneAgent(place: Place): Place {
  if (place.observation_space.kind !== "Agents") return place;
  throw usageError(
    `--environment: found ${place.id}, a multi-agent environment; allowed are single-agent environments`,
  );
}

/** Opens the environment; one from a module runs in its sandbox. */
async function opened(given: Place): Promise<RecordedEnvironment & { readonly close?: () => void }> {
  const place = await asRegistered(given);
  if ("module" in place) return sandboxedLane(place);
  await loadEnvironment(place.id);
  return make(place.id, place.options ?? {});
}

/** Writes the large file last: once it exists, the data set is complete. */
async function write({ store }: CliIo, folder: string, files: MinariFiles): Promise<void> {
  for (const name of ["metadata.json", "main_data.hdf5"] as const)
    await store.write(joinPath(folder, name), files[name]);
}
