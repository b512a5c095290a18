/** Entry point of a stage's worker. */

import { sandboxedLanes } from "../sandbox/environments.ts";
import { provideSandboxes } from "../sandbox/sandboxes.ts";
import { decodeKeptAgent } from "../training/files.ts";
import { PageSandboxes } from "../workers/computing.ts";
import { type Adviser, openAdviser } from "./Adviser.ts";
import { layerActivations } from "./layerActivations.ts";
import { OwnLanes } from "./OwnLanes.ts";
import { Painter } from "./Painter.ts";
import { rehearse } from "./PlayedEnvironment.ts";
import { Stage } from "./Stage.ts";
import type { FromStage, LinkAgent, ToStage } from "./stageProtocol.ts";

const tell = (message: FromStage): void => self.postMessage(message);
const failed = (error: unknown): void =>
  tell({ kind: "problem", key: null, message: error instanceof Error ? error.message : String(error) });

/** In workers without animation frames, a timer at 60 Hz. */
const nextFrame =
  typeof requestAnimationFrame === "function"
    ? (frame: (now: number) => void) => requestAnimationFrame(frame)
    : (frame: (now: number) => void) => setTimeout(() => frame(performance.now()), 1000 / 60);

/** Those of the page's part that uses this worker now. */
let sandboxes = new PageSandboxes();
provideSandboxes(() => sandboxes.openSandbox());

let stage: Stage | null = null;
let adviser: Promise<Adviser> | null = null;

function open(message: ToStage & { kind: "open" }): void {
  const { canvas, size, theme, still, rated, watched } = message;
  tell({ kind: "opened" });
  sandboxes.lend(message.sandboxes);
  const opened = new Stage({
    painter: new Painter(canvas, size, theme),
    still,
    rated,
    watched,
    tell: (message) => {
      if (stage === opened) tell(message);
    },
    nextFrame,
    now: () => performance.now(),
    later: (milliseconds, act) => setTimeout(act, milliseconds),
    lanes: ownLanes(),
  });
  stage = opened;
}

/** Ends the stage, so that the worker can open another one. */
function leave(): void {
  stage?.close();
  stage = null;
  sandboxes = new PageSandboxes();
}

const ownLanes = (): OwnLanes => new OwnLanes((env) => sandboxedLanes(env, 1));

type Filmed = ToStage & { kind: "film" | "poster" | "preview" };

/** Makes the file of a film or a picture. Encoders are loaded only when one is made. */
async function made(message: Filmed): Promise<Uint8Array<ArrayBuffer>> {
  const lanes = ownLanes();
  switch (message.kind) {
    case "film": {
      const { makeFilm } = await import("./film/makeFilm.ts");
      return makeFilm(message.order, lanes, (done) => tell({ kind: "filming", done }));
    }
    case "poster":
      return (await import("./film/makePoster.ts")).makePoster(message.order, lanes);
    case "preview":
      return (await import("./film/makePreview.ts")).makePreview(message.order, lanes);
  }
}

async function film(message: Filmed): Promise<void> {
  sandboxes.lend(message.sandboxes);
  const bytes = await made(message);
  self.postMessage({ kind: "filmed", bytes } satisfies FromStage, { transfer: [bytes.buffer] });
}

async function ask({ id, question }: ToStage & { kind: "ask" }): Promise<void> {
  const asked = await adviser;
  if (asked) tell({ kind: "advice", id, advice: await asked.answer(question) });
}

async function pack({ bytes, ...place }: LinkAgent): Promise<void> {
  // Loaded only when an agent is shared.
  const { leanPolicy } = await import("./leanPolicy.ts");
  const { agent } = decodeKeptAgent(bytes);
  tell({ kind: "packed", bytes: await leanPolicy({ agent, ...place }) });
}

function hear(message: ToStage): void {
  switch (message.kind) {
    case "open":
      return open(message);
    case "leave":
      return leave();
    case "expect":
      // Its players tell what is wrong with it.
      void rehearse(message.environment).catch(() => undefined);
      return;
    case "cast":
      void stage?.cast(message.cast);
      return;
    case "size":
      return stage?.resize(message.size);
    case "theme":
      return stage?.dress(message.theme);
    case "play":
      return stage?.play(message.playing, message.speed);
    case "step":
      return stage?.step();
    case "seed":
      return stage?.reseed(message.seed);
    case "seen":
      if (stage) stage.seen = message.seen;
      return;
    case "share":
      if (stage) stage.share = message.share;
      return;
    case "watch":
      sandboxes.lend(message.sandboxes);
      return void layerActivations(message.player).then((layers) => tell({ kind: "layers", layers }), failed);
    case "adviser":
      if (message.sandboxes) sandboxes.lend(message.sandboxes);
      adviser = openAdviser(message.player);
      return void adviser.catch(failed);
    case "ask":
      return void ask(message).catch(failed);
    case "film":
    case "poster":
    case "preview":
      return void film(message).catch(failed);
    case "pack":
      return void pack(message.agent).catch(failed);
    case "ping":
      return tell({ kind: "pong" });
  }
}

self.addEventListener("message", ({ data }: MessageEvent<ToStage>) => {
  try {
    hear(data);
  } catch (error) {
    failed(error);
  }
});
