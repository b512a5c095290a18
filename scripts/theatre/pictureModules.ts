/** The modules with the pictures of the galleries: champions' episodes, and a state of each environment. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Random } from "../../src/evolution/random.ts";
import { environmentFacts } from "../../src/manifests/environmentFacts.ts";
import {
  drawEnvironment,
  findEnvironment,
  listEnvironments,
  loadEnvironment,
  make,
} from "../../src/rl/environments.ts";
import { infoMasks, sampleLegal } from "../../src/rl/faces.ts";
import { encodeClip, type RecordedChampion, type RecordedChampions } from "../../src/stage/recording.ts";
import { root } from "../lib/environment.mjs";
import { type ChampionEpisode, EPISODES, SEED, templateOf } from "./trainChampion.ts";

const CHAMPIONS = "src/ui/pictures/recordedChampions.ts";
const STILLS = "src/ui/pictures/recordedStills.ts";
/** Limits of a clip: frames in all, and frames per second. */
const [MOST_FRAMES, MOST_A_SECOND] = [240, 25] as const;
/** Share of a champion's episode at which its still picture is. */
const STILL_AT = 0.3;
/** Digits of a still's numbers that are not whole. */
const DIGITS = 5;

/** An episode as the galleries play it: from its start, without frames that nobody would see. */
export function recordedChampion(template: string, episode: ChampionEpisode): RecordedChampion {
  const { algorithm, environment } = templateOf(template);
  const { frame_rate = 30 } = findEnvironment(environment.name);
  const stride = Math.max(1, Math.round(frame_rate / MOST_A_SECOND));
  const kept = <T>(values: readonly T[]): T[] =>
    values.filter((_, at) => at % stride === 0).slice(0, MOST_FRAMES);
  const { states, actions } = episode.clip;
  return {
    clip: encodeClip({ states: kept(states), actions: kept(actions) }),
    interval: stride / frame_rate,
    algorithm: String(algorithm.name),
    score: Number(episode.mean.toPrecision(4)),
    episodes: EPISODES,
    template,
    seed: SEED,
    episode_seed: episode.seed,
  };
}

const packed = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value), { level: 9 }).toString("base64");

function writeModule(file: string, name: string, what: string, value: unknown): void {
  const text = `/** Written by \`npx tsx scripts/theatre/recordClips.ts\`: ${what}, deflated, in base64. */
export const ${name} =
  "${packed(value)}";
`;
  writeFileSync(path.join(root, file), text);
  console.log(`${file}: ${text.length} bytes`);
}

/** What the module has by now; nothing if there is none. */
export function knownChampions(): RecordedChampions {
  try {
    const [, text = ""] = /"([^"]+)";/.exec(readFileSync(path.join(root, CHAMPIONS), "utf8")) ?? [];
    return JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString());
  } catch {
    return {};
  }
}

/** Random steps before the picture of a game, which begins without anything to see. */
const GAME_STEPS = 30;

/** The state that an environment's picture shows: of its champion, or else an early one of an episode. */
async function stillOf(id: string, champion: RecordedChampion | undefined): Promise<readonly number[]> {
  await loadEnvironment(id);
  const env = make(id);
  let { info } = env.reset({ seed: SEED });
  const random = new Random({ seed: SEED });
  const { action_space } = env;
  let state = Array.from(env.getState());
  const isGame = ["games", "matches"].includes(environmentFacts[id]?.kind ?? "");
  for (let step = 0; isGame && step < GAME_STEPS; step++) {
    const action = sampleLegal(action_space, random, infoMasks(action_space, [info ?? {}]));
    const next = env.step(action_space.kind === "Discrete" ? (action[0] ?? 0) : action);
    if (next.terminated) break;
    ({ info } = next);
    state = Array.from(env.getState());
  }
  env.close();
  const rows = champion?.clip.rows ?? [];
  const at = Math.floor(STILL_AT * (champion?.clip.actions.length ?? 0));
  const shown =
    rows.length === 0
      ? state
      : rows.map(
          ([from = 0, step = 0, ...changes]) =>
            from + step * changes.slice(0, at).reduce((sum, change) => sum + change, 0),
        );
  return shown.map((value) => (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))));
}

/** Writes both modules. */
export async function writePictures(champions: RecordedChampions): Promise<void> {
  const ids = listEnvironments().filter((id) => drawEnvironment(id) !== null);
  const stills: Record<string, readonly number[]> = {};
  for (const id of ids) stills[id] = await stillOf(id, champions[id]);
  const inOrder = Object.fromEntries(ids.flatMap((id) => (champions[id] ? [[id, champions[id]]] : [])));
  writeModule(CHAMPIONS, "champions", "an episode of a trained champion by environment", inOrder);
  writeModule(STILLS, "stills", "a state by environment", stills);
}
