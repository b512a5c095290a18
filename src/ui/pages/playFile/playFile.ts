/** The program of a play file: one agent at play, its story, and a duel with it. */
import { unpackPolicy } from "../../../stage/packedPolicy.ts";
import { formatScore, messageOf } from "../../lib/format.ts";
import { unpackBytes } from "../../lib/packedBytes.ts";
import { wantsStillness } from "../../stage/stageSettings.ts";
import { duelTask } from "../play/duel/duelTask.ts";
import { type DuelScore, duelText } from "../play/duel/duelText.ts";
import { LINK_LIMITS } from "../play/linkLimits.ts";
import { playStory } from "../play/playStory.ts";
import { HAND_RATE, openRound } from "./beatIt.ts";
import { element } from "./elements.ts";
import { gameTable } from "./gameTable.ts";
import { DATA_ID, readPlayData } from "./playData.ts";
import { stageAgent } from "./stageAgent.ts";

/** A picture with what is said below it. */
function side(name: string): {
  readonly figure: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly score: HTMLElement;
} {
  const canvas = element("canvas", "", { width: 640, height: 480 });
  canvas.setAttribute("aria-hidden", "true");
  const score = element("strong", "–");
  const caption = element("figcaption", `${name}: `);
  caption.append(score);
  const figure = element("figure");
  figure.append(canvas, caption);
  return { figure, canvas, score };
}

function open(main: HTMLElement): void {
  const { agent: text, train } = readPlayData(document.getElementById(DATA_ID)?.textContent ?? null);
  const bytes = unpackBytes(text, LINK_LIMITS);
  const { agent, ...place } = unpackPolicy(bytes);
  const { algorithm, index } = agent;
  const story = element("ol", "", { className: "story" });
  story.append(...playStory({ ...place, algorithm, index }).map((line) => element("li", line)));
  main.append(element("h1", `${algorithm} in ${place.environment}`), story);

  const link =
    train === null
      ? []
      : [element("a", "Train your own", { href: train, target: "_blank", rel: "noopener" })];
  const game = gameTable(agent, place);
  if (game) {
    main.append(...game);
    game.at(-1)?.append(...link);
    return;
  }
  const sides = element("div", "", { className: "sides" });
  const own = side("The agent");
  sides.append(own.figure);
  const told = element("output");
  const buttons = element("div", "", { className: "row" });
  const keys = element("p");
  main.append(sides, buttons, told, keys);

  const task = duelTask({ ...place, module: null });
  let playing = !wantsStillness();
  /** The seed of a duel, and how both stand; null without one. */
  let duel: { readonly seed: number; mine: DuelScore; its: DuelScore } | null = null;
  const say = (): void => {
    told.textContent = duel === null ? "" : duelText(duel.mine, duel.its);
  };
  const stage = stageAgent(own.canvas, { bytes, ...place }, (message) => {
    if (message.kind === "problem") told.textContent = message.message;
    if (message.kind === "moving") main.dataset.moving = "true";
    if (message.kind !== "readings") return;
    const [reading] = message.readings;
    if (reading === undefined || (duel !== null && reading.seed !== duel.seed)) return;
    own.score.textContent = formatScore(reading.total);
    if (duel === null) return;
    duel.its = reading;
    if (reading.ended) stage.play(false, 1);
    say();
  });
  stage.play(playing, 1);

  const pause = element("button", playing ? "Pause" : "Play");
  pause.addEventListener("click", () => {
    playing = !playing;
    stage.play(playing, 1);
    pause.textContent = playing ? "Pause" : "Play";
  });
  buttons.append(pause, ...link);
  if (task === null) return;

  let seed = 0;
  let end = (): void => undefined;
  const beat = element("button", "Beat it");
  const round = async (): Promise<void> => {
    end();
    seed += 1;
    pause.hidden = true;
    const you = side("You");
    sides.replaceChildren(you.figure, own.figure);
    const started = { seed, mine: { total: 0, ended: false }, its: { total: 0, ended: false } };
    duel = started;
    stage.play(false, 1);
    stage.reseed(seed);
    say();
    const { start, close, ...task } = await openRound(you.canvas, place, seed, (score, problem) => {
      if (duel !== started) return;
      started.mine = score;
      you.score.textContent = formatScore(score.total);
      if (score.ended && !started.its.ended) stage.play(true, 1);
      say();
      if (problem !== null) told.textContent = problem;
    });
    end = close;
    keys.textContent = task.keys;
    beat.textContent = "Start";
    beat.onclick = () => {
      start();
      stage.play(true, HAND_RATE / rate);
      beat.textContent = "Another start";
      beat.onclick = again;
    };
  };
  const { rate } = task;
  const again = (): void => {
    round().catch((error: unknown) => {
      told.textContent = messageOf(error);
    });
  };
  beat.onclick = again;
  buttons.prepend(beat);
}

const main = document.querySelector("main") ?? document.body;
try {
  open(main);
} catch (error) {
  const problem = element("p", `The agent in this file cannot play: ${messageOf(error)}`);
  problem.setAttribute("role", "alert");
  main.append(problem);
}
