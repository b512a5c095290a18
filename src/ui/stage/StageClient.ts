import type { Cast, FromStage, ToStage } from "../../stage/stageProtocol.ts";
import { SpareWorker } from "../../workers/pages.ts";
import { lendSandboxes } from "../client/lendSandboxes.ts";
import { onThemeChange } from "../lib/drawing.ts";
import { stageTheme, wantsStillness } from "./stageSettings.ts";

/** Starts a stage worker, without sending it any message. */
export const startStageWorker = (): Worker =>
  new Worker(new URL("../../stage/stage.worker.ts", import.meta.url), {
    type: "module",
    name: "rlkit stage",
  });

const spare = new SpareWorker(startStageWorker);

/**
 * Starts a worker ahead of its use, for when a stage is likely to open.
 * @param environment A registered environment whose players are likely to come.
 */
export function preloadStage(environment?: string): void {
  const worker = spare.prepare();
  if (environment !== undefined) worker.postMessage({ kind: "expect", environment } satisfies ToStage);
}

/** Number of stages that have a worker. */
let open = 0;

/** As {@link preloadStage}, for a stage on the next page: one that is open now leaves its worker to it. */
export function preloadNextStage(): void {
  if (open === 0) preloadStage();
}

/** Milliseconds between liveness pings to a visible stage. */
const ASK_EVERY = 10_000;
/** Number of unanswered pings after which the worker counts as dead. */
const MOST_UNANSWERED = 3;
/**
 * Number of consecutive crashes without a moving picture in between, after which the worker is not restarted.
 */
const MOST_DEATHS = 3;

const NO_CANVAS =
  "This browser cannot draw in workers, so agents cannot be shown at play; use a current version of Chrome, Edge, Firefox or Safari.";

interface StageOptions {
  readonly hear: (message: FromStage) => void;
  /** Share of one thread's time that playing may use, 0 to 1. */
  readonly share: number;
  /** Called whenever the canvas becomes visible or hidden. */
  readonly onSeen?: (seen: boolean) => void;
  /** Whether readings include the players' value estimates. Defaults to false. */
  readonly rated?: boolean;
  /** Whether `outputs` tells what the players' layers compute. Defaults to false. */
  readonly watched?: boolean;
  readonly start?: () => Worker;
}

/**
 * A canvas drawn by its own worker. It plays only while visible, and the worker is restarted after a crash.
 */
export class StageClient {
  readonly #host: HTMLElement;
  readonly #options: StageOptions;
  readonly #release: (() => void)[] = [];
  #worker: Worker | null = null;
  /** Ends what is heard of the worker. */
  #deafen: (() => void) | null = null;
  /** Ends the sandboxes lent to the worker, which would outlive it. */
  #endSandboxes: (() => void) | null = null;
  #canvas: HTMLCanvasElement | null = null;
  #cast: Cast | null = null;
  #play: ToStage & { kind: "play" } = { kind: "play", playing: true, speed: 1 };
  #share: number;
  #onScreen = true;
  #unanswered = 0;
  #deaths = 0;

  /** @param host An empty element of the stage's size. */
  constructor(host: HTMLElement, options: StageOptions) {
    this.#host = host;
    this.#options = options;
    this.#share = options.share;
    this.#watch();
    this.#open();
  }

  /** Sets the players. */
  cast(cast: Cast): void {
    this.#cast = cast;
    this.#post({ kind: "cast", cast });
  }

  /** @param speed Speed factor; 1 is the environment's own speed. */
  play(playing: boolean, speed = 1): void {
    this.#play = { kind: "play", playing, speed };
    this.#post(this.#play);
  }

  step(): void {
    this.#post({ kind: "step" });
  }

  reseed(seed: number): void {
    this.#post({ kind: "seed", seed });
  }

  share(share: number): void {
    this.#share = share;
    this.#post({ kind: "share", share });
  }

  close(): void {
    for (const release of this.#release) release();
    if (this.#worker === null || this.#unanswered > 0 || this.#options.start) return this.#end();
    this.#post({ kind: "leave" });
    spare.keep(this.#letGo(this.#worker));
  }

  #post(message: ToStage): void {
    this.#worker?.postMessage(message);
  }

  #size() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    return { width, height, ratio: window.devicePixelRatio || 1 };
  }

  #isSeen = (): boolean => this.#onScreen && !document.hidden;

  #open(): void {
    // Control of a canvas can be transferred only once.
    const canvas = document.createElement("canvas");
    if (!("transferControlToOffscreen" in canvas)) {
      this.#options.hear({ kind: "problem", key: null, message: NO_CANVAS });
      return;
    }
    const worker = this.#options.start?.() ?? spare.take();
    canvas.setAttribute("aria-hidden", "true");
    this.#host.prepend(canvas);
    this.#worker = worker;
    open += 1;
    this.#canvas = canvas;
    this.#unanswered = 0;
    const heard = new AbortController();
    const { signal } = heard;
    this.#deafen = () => heard.abort();
    let opened = false;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<FromStage>) => {
        if (opened) this.#hear(data);
        opened ||= data.kind === "opened";
      },
      { signal },
    );
    worker.addEventListener("messageerror", () => this.#die("a message could not be read"), { signal });
    worker.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        this.#die(event.message || "it could not be loaded");
      },
      { signal },
    );
    const offscreen = canvas.transferControlToOffscreen();
    const sandboxes = new MessageChannel();
    this.#endSandboxes = lendSandboxes(sandboxes.port1);
    const { rated = false, watched = false } = this.#options;
    const look = { size: this.#size(), theme: stageTheme(this.#host), still: wantsStillness() };
    const parts = { canvas: offscreen, sandboxes: sandboxes.port2 };
    worker.postMessage(
      { kind: "open", rated, watched, ...parts, ...look } satisfies ToStage,
      Object.values(parts),
    );
    this.#post({ kind: "share", share: this.#share });
    this.#post({ kind: "seen", seen: this.#isSeen() });
    this.#post(this.#play);
    if (this.#cast) this.#post({ kind: "cast", cast: this.#cast });
  }

  #end(): void {
    if (this.#worker !== null) this.#letGo(this.#worker).terminate();
  }

  /** Ends all that belongs to the worker, but not the worker. */
  #letGo(worker: Worker): Worker {
    open -= 1;
    this.#deafen?.();
    this.#endSandboxes?.();
    this.#canvas?.remove();
    this.#worker = null;
    this.#deafen = null;
    this.#endSandboxes = null;
    this.#canvas = null;
    return worker;
  }

  #hear(message: FromStage): void {
    this.#unanswered = 0;
    if (message.kind === "pong") return;
    if (message.kind === "moving") this.#deaths = 0;
    this.#options.hear(message);
  }

  #die(reason: string): void {
    this.#end();
    this.#deaths += 1;
    if (this.#deaths < MOST_DEATHS) this.#open();
    else
      this.#options.hear({
        kind: "problem",
        key: null,
        message: `The player stopped: ${reason}. Reload the page to start it again.`,
      });
  }

  #watch(): void {
    const tellSeen = (): void => {
      const seen = this.#isSeen();
      this.#post({ kind: "seen", seen });
      this.#options.onSeen?.(seen);
    };
    const resized = new ResizeObserver(() => this.#post({ kind: "size", size: this.#size() }));
    resized.observe(this.#host);
    const scrolled = new IntersectionObserver((entries) => {
      this.#onScreen = entries.at(-1)?.isIntersecting ?? true;
      tellSeen();
    });
    scrolled.observe(this.#host);
    document.addEventListener("visibilitychange", tellSeen);
    const timer = setInterval(() => {
      if (!this.#isSeen() || this.#worker === null) return;
      if (this.#unanswered >= MOST_UNANSWERED) return this.#die("it did not respond");
      this.#unanswered += 1;
      this.#post({ kind: "ping" });
    }, ASK_EVERY);
    this.#release.push(
      onThemeChange(() => this.#post({ kind: "theme", theme: stageTheme(this.#host) })),
      () => resized.disconnect(),
      () => scrolled.disconnect(),
      () => document.removeEventListener("visibilitychange", tellSeen),
      () => clearInterval(timer),
    );
  }
}
