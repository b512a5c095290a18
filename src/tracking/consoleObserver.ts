import {
  type ConsoleStream,
  colourIsRefused,
  defaultConsoleStream,
  makePaint,
  type Paint,
} from "./consoleStream.ts";
import { evolutionText, mutationLines } from "./evolutionText.ts";
import { formatClock, formatCount, formatValue } from "./formatValue.ts";
import { generationTable } from "./generationTable.ts";
import {
  championText,
  type DownloadReport,
  type EndReport,
  type TrainingEvent,
  type TrainingObserver,
} from "./observer.ts";

/** Progress of a run. */
interface Progress {
  /** Environment steps of the whole population. */
  readonly steps: number;
  /** Total steps that the run will take; 0 if unknown. */
  readonly total: number;
  /** Seconds since this process started training. */
  readonly elapsed: number;
  /** Environment steps per second. */
  readonly rate: number;
}

const LABEL = "Training Progress";
const BETWEEN = " │ ";
const BAR = { shortest: 5, longest: 40 } as const;

const barOf = (part: number, width: number): string => {
  const filled = Math.round(part * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
};

/**
 * One line of at most `columns` characters. On a narrow terminal, parts are left out, starting with the bar.
 */
export function progressLine({ steps, total, elapsed, rate }: Progress, columns: number): string {
  const clock = formatClock(elapsed);
  const speed = `${formatCount(rate)} steps/s`;
  if (total <= 0) return [LABEL, `${formatCount(steps)} steps`, clock, speed].join(BETWEEN).slice(0, columns);

  // Whole generations may take a run beyond its total.
  const all = Math.max(total, steps);
  const part = Math.max(0, steps / all);
  const percent = `${Math.floor(part * 100)}%`.padStart(4);
  const left = part === 1 ? formatClock(0) : formatClock((all - steps) / rate);
  const counts = `${formatCount(steps)}/${formatCount(all)} steps`;
  const rest = [counts, clock, left, speed];
  const room = columns - [LABEL, percent, "", ...rest].join(BETWEEN).length;
  if (room >= BAR.shortest) {
    return [LABEL, percent, barOf(part, Math.min(room, BAR.longest)), ...rest].join(BETWEEN);
  }
  const shorter = [
    [LABEL, percent, ...rest],
    [percent, ...rest],
    [percent, counts, left],
    [percent, counts],
  ].map((parts) => parts.join(BETWEEN));
  return (shorter.find((line) => line.length <= columns) ?? percent).slice(0, columns);
}

export interface ConsoleObserverOptions {
  /** Defaults to standard output in Node and to the console in a browser. */
  readonly stream?: ConsoleStream;
  /** Line width in characters. Defaults to the terminal's width, else 120. */
  readonly columns?: number;
  /** Whether to use ANSI colours. Defaults to true on a terminal without NO_COLOR. */
  readonly colour?: boolean;
  /**
   * Total environment steps of the population in the whole run. Defaults to the value in
   * the first progress report.
   */
  readonly total_steps?: number;
  /** Names of the hyperparameters in the table, such as those under mutation (default: all). */
  readonly hyperparameters?: readonly string[];
}

const WIDTH = 120;
const CLEAR_LINE = "\r\x1b[2K";

const ENDINGS: Record<EndReport["reason"], string> = {
  max_steps: "finished",
  max_wall_seconds: "finished, its time is over",
  target: "reached its target score",
  early_stopping: "finished, its best fitness no longer rises",
  stopped: "stopped",
};

/**
 * Shows a run to the user: a progress line that is rewritten on a terminal, a table for each generation, and
 * warnings. It never throws: a display error must not stop training.
 */
export function consoleObserver(options: ConsoleObserverOptions = {}): TrainingObserver {
  const view = new ConsoleView(options);
  return {
    on: (event) => {
      try {
        view.show(event);
      } catch {
        // The stream is closed; training continues without output.
      }
    },
  };
}

class ConsoleView {
  readonly #stream: ConsoleStream;
  readonly #options: ConsoleObserverOptions;
  readonly #paint: Paint;
  readonly #start = performance.now();
  #total: number;
  #steps = 0;
  #rate = 0;
  /** What fitness is called. */
  #word = "fitness";
  /** Whether the terminal's last line is the progress line. */
  #lineIsOpen = false;

  constructor(options: ConsoleObserverOptions) {
    this.#options = options;
    this.#stream = options.stream ?? defaultConsoleStream();
    this.#paint = makePaint(options.colour ?? (this.#onTerminal && !colourIsRefused()));
    this.#total = options.total_steps ?? 0;
  }

  get #onTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Read each time, because a terminal can be resized. A terminal that does not know its width reports 0. */
  get #columns(): number {
    return this.#options.columns || this.#stream.columns || WIDTH;
  }

  get #elapsed(): number {
    return (performance.now() - this.#start) / 1000;
  }

  show(event: TrainingEvent): void {
    switch (event.event) {
      case "progress":
        this.#total = event.total_steps;
        this.#advance(event.global_step, event.steps_per_second);
        if (this.#onTerminal) this.#drawLine();
        return;
      case "generation":
        this.#advance(event.global_step, event.steps_per_second);
        this.#print(
          generationTable(event, {
            columns: this.#columns,
            paint: this.#paint,
            hyperparameters: this.#options.hyperparameters,
          }).join("\n"),
        );
        if (event.evolution) this.#print(evolutionText(event.evolution));
        if (event.league) this.#word = "rating";
        if (this.#onTerminal) this.#drawLine();
        else this.#print(this.#progress());
        return;
      case "checkpoint":
        this.#print(`Checkpoint at ${formatCount(event.global_step)} steps: ${event.path}`);
        return;
      case "download":
        this.#showDownload(event);
        return;
      case "completions":
        // The last completions before a failure belong to the log.
        for (const { prompt, completion, reward } of event.level === "error" ? [] : event.records.slice(0, 1))
          this.#print(`${formatValue(reward)}  ${JSON.stringify(prompt)} -> ${JSON.stringify(completion)}`);
        return;
      case "warning":
        this.#print(`${this.#paint.yellow("Warning:")} ${event.message}`);
        return;
      case "champion":
        this.#print(championText(event));
        return;
      case "end":
        this.#finish(event);
        if (event.evolution)
          this.#print([...mutationLines(event.evolution), evolutionText(event.evolution, "run")].join("\n"));
        this.#print(this.#ending(event));
    }
  }

  /** The last progress line of a run that was not stopped is full, although the run may end early or late. */
  #finish({ reason, global_step }: EndReport): void {
    if (reason === "stopped" || this.#total === 0) return;
    const shown = !this.#onTerminal && this.#steps >= this.#total;
    this.#total = global_step;
    this.#advance(global_step, this.#rate);
    if (!shown) this.#print(this.#progress());
  }

  #advance(steps: number, rate: number): void {
    this.#steps = steps;
    this.#rate = rate;
  }

  #progress(): string {
    // The terminal's last column stays free, because some terminals would wrap the line.
    const columns = Math.max(1, this.#columns - 1);
    const progress = { steps: this.#steps, total: this.#total, elapsed: this.#elapsed, rate: this.#rate };
    return progressLine(progress, columns);
  }

  #drawLine(): void {
    this.#stream.write(`${CLEAR_LINE}${this.#progress()}`);
    this.#lineIsOpen = true;
  }

  #showDownload({ name, received, total }: DownloadReport): void {
    if (name !== undefined) {
      this.#print(`Downloading ${name}`);
      return;
    }
    const of = total === null ? "" : ` of ${formatCount(total)}`;
    const text = `Fetched ${formatCount(received)}${of} bytes`;
    // The line of a complete file stays, so that later output starts on a new line.
    if (received === total) this.#print(text);
    else if (this.#onTerminal) {
      this.#stream.write(`${CLEAR_LINE}${text}`);
      this.#lineIsOpen = true;
    }
  }

  /** Prints whole lines, in place of the progress line. */
  #print(text: string): void {
    this.#stream.write(`${this.#lineIsOpen ? CLEAR_LINE : ""}${text}\n`);
    this.#lineIsOpen = false;
  }

  #ending({ reason, global_step, fitnesses }: EndReport): string {
    const best = fitnesses.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a), Number.NaN);
    const counts = `${formatCount(global_step)} steps in ${formatClock(this.#elapsed)}`;
    return this.#paint.bold(
      `Training ${ENDINGS[reason]}: ${counts}, best ${this.#word} ${formatValue(best)}`,
    );
  }
}
