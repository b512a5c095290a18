import { RULE_OPPONENTS, type RuleOpponent } from "../../agents/classes.ts";
import type { AgentState } from "../../agents/members.ts";
import { requireDatasetId } from "../../datasets/kept.ts";
import {
  type Actor,
  actorPlayer,
  agentActor,
  type GamePlayer,
  type MinariFiles,
  minariFiles,
  type RecordedEnvironment,
  RULE_PLAYERS,
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
import { ELITE_FILE } from "../../training/loop.ts";
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
import { metBy } from "../opponents.ts";
import { LEVELS, recordLevels } from "../recordLevels.ts";

const STEPS = 10_000;
const SEED = 42;
const RANDOM = "random";
/** Ends the names of files of games. */
const GAMES = ".games";

export const record: Command = {
  name: "record",
  summary: "Records an agent's episodes as a data set in Minari format, or the moves of a game.",
  operands: ["AGENT|RUN|random"],
  options: {
    ...ENVIRONMENT_OPTIONS,
    steps: {
      value: "N",
      help: `Number of steps to record (default: ${STEPS}). The last episode is truncated.`,
    },
    games: { value: "N", help: "Games: number of games to record, instead of steps." },
    opponent: {
      value: "NAME|AGENT",
      help: `Games: who has the other seat, ${RULE_OPPONENTS.join(", ")}, or an agent's file, such as a checkpoint's past_3.safetensors (default: the agent itself). The agent has the first move in every other game.`,
    },
    explore: { help: "Acts as in training: samples of the policy, or actions with noise." },
    levels: {
      help: `Records the elites of the run's directory RUN as four data sets, ${LEVELS.join(", ")}, into folders of --out, with the scores that normalise returns. They explore as in training.`,
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
  const [asked, count] = [line.integer("steps", 1), line.integer("games", 1)];
  const steps = asked ?? STEPS;
  const seed = requireSeed(line.integer("seed", 0) ?? SEED, "--seed");
  const epsilon = line.fraction("epsilon") ?? 0;
  const dataset_id = requireDatasetId(line.text("id") ?? "rlkit/recorded-v0");
  const out = line.text("out");
  if (out === null) throw usageError("record: --out is missing; name a new folder for the data set");
  const isText = out.endsWith(GAMES);
  for (const option of ["games", "opponent"])
    if (line.text(option) !== null && !isText)
      throw usageError(`--${option}: needs an --out whose name ends in ${GAMES}; found ${out}`);
  if (asked !== null && count !== null)
    throw usageError("--games: found --steps beside it; give one of the two");
  if (line.flag("levels")) return writeLevels(line, io, out, { steps, epsilon, seed });
  const folder = isText ? out : joinPath(out, "data");
  await requireNew(io, folder);
  const one = await playing(line, io);
  const { place, actor, algorithm, release } = one;
  if (isText) {
    const most = count === null ? { steps } : { games: count };
    const { text, games, against } = await gamesOf(line, io, one, { ...most, epsilon, seed });
    await io.store.write(out, new TextEncoder().encode(text));
    const met = against === null ? {} : { opponent: against };
    if (line.flag("json"))
      jsonLine(io.stdout, { path: out, environment: place.id, games, ...most, seed, ...met });
    else
      io.stdout.write(
        `${out}: ${games} games${count === null ? `, ${steps} moves` : ""} of ${algorithm}${against === null ? "" : ` against ${against}`} in ${place.id}\n`,
      );
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

interface RecordedGames {
  readonly text: string;
  readonly games: number;
  /** Null for an agent that plays itself. */
  readonly against: string | null;
}

/** Games of an agent, as text. @throws CliError for an environment without rules, and for an opponent that it does not have. */
async function gamesOf(
  line: CommandLine,
  io: CliIo,
  { place, actor, algorithm, release }: Playing,
  options: Omit<Parameters<typeof recordGames>[0], "rules" | "players">,
): Promise<RecordedGames> {
  try {
    const game = !("module" in place) && isCompiled(place) ? place.game : undefined;
    if (!game)
      throw usageError(
        `--out: found a file of games for ${place.id}, allowed for rlkit's games, such as rlkit/TicTacToe`,
      );
    const own = actor ? actorPlayer(actor) : RULE_PLAYERS.random;
    const against = line.text("opponent");
    if (against === null) {
      const games = recordGames({ rules: game.rules, players: [own], ...options });
      return { text: writeGameFile(game, games), games: games.length, against };
    }
    const rival = await opponentOf(against, place, io);
    try {
      const games = recordGames({ rules: game.rules, players: [own, rival.player], ...options });
      const note = `${algorithm} has the first move in the 1st, 3rd, ... game, and ${against} in the others.`;
      return { text: writeGameFile(game, games, note), games: games.length, against };
    } finally {
      rival.release();
    }
  } finally {
    release();
  }
}

/** The player that an option names. @throws CliError for a rule that the game does not have. */
async function opponentOf(
  name: string,
  place: Place,
  io: CliIo,
): Promise<{ readonly player: GamePlayer; readonly release: () => void }> {
  const rule = RULE_OPPONENTS.find((one) => one === name);
  if (rule || name.startsWith("rule:")) {
    // Refuses other rules by name.
    metBy(place, { opponent: name as RuleOpponent });
    return { player: RULE_PLAYERS[name as RuleOpponent], release: () => undefined };
  }
  const { agent } = await loadAgent(io, name);
  const actor = actorOf(agent, place, name);
  return { player: actorPlayer(actor), release: () => actor.release() };
}

/** @throws StorageError for an agent of another environment. */
function actorOf(
  agent: AgentState,
  place: Place,
  path: string,
  explores = false,
): ReturnType<typeof agentActor> {
  requireFit(agent, place, path);
  return agentActor(agent, place, explores);
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
  const actor = actorOf(state, place, who, line.flag("explore"));
  return { place, actor, algorithm: state.algorithm, release: () => actor.release() };
}

/** @throws CliError for a multi-agent environment, which Minari's format does not support. */
function ofOneAgent(place: Place): Place {
  if (place.observation_space.kind !== "Agents") return place;
  throw usageError(
    `--environment: found ${place.id}, a multi-agent environment; allowed are single-agent environments`,
  );
}

/** Data sets of the elites of a run, each in a folder of its own. */
async function writeLevels(
  line: CommandLine,
  io: CliIo,
  out: string,
  options: { readonly steps: number; readonly epsilon: number; readonly seed: number },
): Promise<number> {
  for (const option of ["id", "games", "opponent"])
    if (line.text(option) !== null) throw usageError(`--${option}: not allowed with --levels`);
  for (const level of LEVELS) await requireNew(io, joinPath(out, level, "data"));
  const run = line.operand(0);
  const path = joinPath(run, ELITE_FILE);
  if (!(await io.store.exists(path)))
    throw usageError(
      `record --levels: ${run} has no ${ELITE_FILE}; give the directory of a run that rlkit train wrote`,
    );
  const { agent, place: trained } = await loadAgent(io, path);
  const given = await givenEnvironment(line, io.store);
  const place = ofOneAgent(given ?? (await ownEnvironment(line, io.store, { path, place: trained })));
  requireFit(agent, place, path);
  refuseGames(place);
  const env = await opened(place);
  const sets = await recordLevels({ io, run, env, place, ...options }).finally(() => env.close?.());
  for (const { level, files } of sets) await write(io, joinPath(out, level, "data"), files);
  if (line.flag("json"))
    jsonLine(io.stdout, {
      path: out,
      environment: place.id,
      seed: options.seed,
      sets: sets.map((set) => ({ ...set, files: undefined })),
    });
  else
    for (const { level, episodes, steps, mean, normalised } of sets)
      io.stdout.write(
        `${joinPath(out, level)}: ${episodes} episodes, ${steps} steps, mean return ${mean.toFixed(2)}, normalised ${normalised.toFixed(1)}\n`,
      );
  return EXIT.ok;
}

/** @throws CliError for a game, in which an agent's return depends on its opponent. */
function refuseGames(place: Place): void {
  const isGame = "module" in place ? place.players !== null : isCompiled(place) && place.game !== undefined;
  if (isGame)
    throw usageError(
      `record --levels: found ${place.id}, a game; allowed are environments without opponents`,
    );
}

/** @throws CliError if there is something already. */
async function requireNew({ store }: CliIo, folder: string): Promise<void> {
  if (await store.exists(folder))
    throw new CliError(`--out: ${folder} already exists; name a new one, or remove it`, EXIT.usage);
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
