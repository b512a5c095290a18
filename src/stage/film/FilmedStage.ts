/** A stage whose clock is the film's: time passes only from picture to picture, however long each takes to make. */
import type { OwnLanes } from "../OwnLanes.ts";
import { Painter } from "../Painter.ts";
import { Stage } from "../Stage.ts";
import type { Cast, FromStage, StageSize, StageTheme } from "../stageProtocol.ts";
import { canvasContext } from "./canvasContext.ts";

interface FilmedStageParts {
  readonly size: StageSize;
  readonly theme: StageTheme;
  readonly lanes: OwnLanes;
}

/** Lets messages of workers and sandboxes arrive. */
export const turnOfEvents = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export class FilmedStage {
  readonly canvas: OffscreenCanvas;
  readonly #stage: Stage;
  #now = 0;
  #frame: ((now: number) => void) | null = null;
  #later: { readonly at: number; readonly act: () => void }[] = [];
  /** Ids of the cast on stage, and of the one whose scene has begun; 0 for none. */
  #shown = 0;
  #begun = 0;
  #problem: string | null = null;

  constructor({ size, theme, lanes }: FilmedStageParts) {
    this.canvas = canvasContext(size).canvas;
    this.#stage = new Stage({
      painter: new Painter(this.canvas, size, theme),
      still: false,
      rated: false,
      watched: false,
      tell: (message) => this.#hear(message),
      nextFrame: (frame) => {
        this.#frame = frame;
      },
      now: () => this.#now,
      later: (milliseconds, act) => this.#later.push({ at: this.#now + milliseconds, act }),
      lanes,
    });
  }

  /** Id of the cast that is on stage, after its scene. */
  get shown(): number {
    return this.#shown;
  }

  /**
   * Prepares a cast until its scene begins. No time of the film passes.
   * @throws Error if nobody can play
   */
  async cast(cast: Cast): Promise<void> {
    this.#problem = null;
    await this.#stage.cast(cast);
    while (this.#begun !== cast.id) {
      if (this.#problem !== null) throw new Error(this.#problem);
      this.#draw();
      await turnOfEvents();
    }
  }

  /** Moves on by a time of the film, and draws. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#later.filter(({ at }) => at <= this.#now);
    this.#later = this.#later.filter(({ at }) => at > this.#now);
    for (const { act } of due) act();
    this.#draw();
    while (this.#stage.awaits) await turnOfEvents();
  }

  #draw(): void {
    const frame = this.#frame;
    this.#frame = null;
    frame?.(this.#now);
  }

  #hear(message: FromStage): void {
    if (message.kind === "changing") this.#begun = message.cast;
    else if (message.kind === "shown") this.#shown = this.#begun = message.cast;
    else if (message.kind === "problem" && message.key === null) this.#problem = message.message;
  }
}
