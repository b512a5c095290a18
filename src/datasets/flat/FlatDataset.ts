/** Data sets that store all episodes consecutively in the same tables, in a file or in memory. */
import type { ChosenGame } from "../../rl/environments.ts";
import { keptMask } from "../../rl/programs.ts";
import { type AgentSpaces, elementSize, type Space } from "../../rl/spaces.ts";
import { type Column, columnAt, columnOf, type DataHandle, hasNumbers, tablesIn } from "../Column.ts";
import type { Dataset, DatasetEpisode, ObservedStretch } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { Elements } from "../Elements.ts";
import { flagsOf, masksOf, numbersOf, rowSpace } from "../rowSpace.ts";
import type { Stretch } from "../stretch.ts";
import { type DatasetTransitions, TransitionReader } from "../TransitionReader.ts";
import { type EpisodeEnds, episodeEnds, type FlatTables, isKnownTable } from "./episodeEnds.ts";
import { flatNotices } from "./flatNotices.ts";

const REQUIRED = ["observations", "actions", "rewards"] as const;
/** Rows read at a time. */
const CHUNK = 16_384;

/** Arrays named like the tables of flat files: typed arrays, or lists of rows. */
export interface DatasetArrays {
  readonly observations: unknown;
  readonly actions: unknown;
  readonly rewards: unknown;
  readonly terminals: unknown;
  readonly next_observations?: unknown;
  /** Action masks: a zero or a one for each choice. With `next_observations`, theirs are needed too. */
  readonly action_masks?: unknown;
  readonly next_action_masks?: unknown;
  readonly timeouts?: unknown;
  readonly truncations?: unknown;
  readonly dones?: unknown;
  readonly episode_terminals?: unknown;
  readonly episode_ends?: unknown;
  readonly episode_starts?: unknown;
}

interface FlatOptions {
  readonly source: string;
  readonly sha256?: string | null;
  readonly close?: () => void;
  readonly game?: ChosenGame;
}

/** Whether an open file has at least one table of a flat data set. */
export const isFlat = (names: readonly string[]): boolean =>
  [...REQUIRED, "terminals"].some((name) => names.includes(name));

export class FlatDataset implements Dataset {
  readonly format = "flat";
  readonly source: string;
  readonly sha256: string | null;
  readonly observation_space = null;
  readonly action_space = null;
  readonly environment: string | null;
  readonly game: ChosenGame | null;
  readonly description = null;
  readonly #tables: FlatTables;
  readonly #close: () => void;
  #ends: EpisodeEnds | null = null;
  #notices: readonly string[] | null = null;

  /** @throws DatasetError if a table is missing. */
  private constructor(
    tables: Omit<FlatTables, "source">,
    { source, sha256 = null, close, game }: FlatOptions,
  ) {
    this.source = source;
    this.sha256 = sha256;
    this.game = game ?? null;
    this.environment = game?.rules.id ?? null;
    this.#tables = { ...tables, source };
    this.#close = close ?? (() => undefined);
    const found = new Set(tables.names.map((name) => name.split("/")[0]));
    const missing = REQUIRED.filter((name) => !found.has(name));
    if (missing.length > 0)
      throw new DatasetError(
        source,
        `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing; found ${[...found].join(", ") || "nothing"}, allowed ${REQUIRED.join(", ")}, terminals, and optionally next_observations, timeouts or truncations`,
      );
  }

  static ofHandle(handle: DataHandle, options: FlatOptions): FlatDataset {
    const find = (name: string) => columnAt(handle, name, options.source);
    return new FlatDataset({ names: tablesIn(handle), find }, options);
  }

  static ofArrays(arrays: DatasetArrays, options: FlatOptions): FlatDataset {
    const given: Readonly<Record<string, unknown>> = { ...arrays };
    const names = Object.keys(given).filter((name) => {
      const value = given[name] ?? null;
      return value !== null && (isKnownTable(name) || hasNumbers(value));
    });
    const find = (name: string, size: number) =>
      names.includes(name) ? columnOf(given[name], name, size, options.source) : null;
    return new FlatDataset({ names, find }, options);
  }

  /** @param columns Tables by name. */
  static ofColumns(columns: ReadonlyMap<string, Column>, options: FlatOptions): FlatDataset {
    return new FlatDataset(
      { names: [...columns.keys()], find: (name) => columns.get(name) ?? null },
      options,
    );
  }

  get masked(): boolean {
    return this.#tables.names.includes("action_masks");
  }

  get total_steps(): number {
    return this.#table("rewards", 1).shape[0] ?? 0;
  }

  get notices(): readonly string[] {
    this.#notices ??= flatNotices(this.#tables, this.#episodeEnds, this.total_steps);
    return this.#notices;
  }

  episodes(): DatasetEpisode[] {
    const { terminated, last } = this.#episodeEnds;
    const rewards = this.#table("rewards", 1).read(0, last.length) as ArrayLike<number>;
    const episodes: DatasetEpisode[] = [];
    let [steps, sum] = [0, 0];
    for (let row = 0; row < last.length; row++) {
      steps++;
      sum += Number(rewards[row]);
      if (last[row] !== 1 && row !== last.length - 1) continue;
      const end = terminated[row] === 1 ? "terminated" : last[row] === 1 ? "truncated" : "open";
      episodes.push({ id: episodes.length, steps, return: sum, end });
      [steps, sum] = [0, 0];
    }
    return episodes;
  }

  tables(name: "observations" | "actions"): readonly Column[] {
    const whole = this.#table(name, 1);
    // A caller's typed array does not tell how many numbers a row has.
    const width = (whole.shape[0] ?? 0) / this.total_steps;
    const isFlat = whole.shape.length === 1 && width > 1 && Number.isInteger(width);
    return [isFlat ? this.#table(name, width) : whole];
  }

  observations(): ObservedStretch[] {
    return this.#stretches("observations");
  }

  actions(): ObservedStretch[] {
    return this.#stretches("actions");
  }

  #stretches(name: "observations" | "actions"): ObservedStretch[] {
    const column = this.#table(name, 1);
    const elements = new Elements(rowSpace(column), () => column, this.source);
    const { rows } = elements;
    return Array.from({ length: Math.ceil(rows / CHUNK) }, (_, i) => {
      const start = i * CHUNK;
      return {
        rows: Math.min(rows, start + CHUNK) - start,
        read: (from, to) => elements.read(start + from, start + to),
      };
    });
  }

  async transitions(layout: AgentSpaces, most?: number): Promise<DatasetTransitions> {
    return this.reader(layout, most).whole();
  }

  reader(layout: AgentSpaces, most = Number.POSITIVE_INFINITY): TransitionReader {
    const { observation_space, action_space } = layout;
    const { source } = this;
    const elements = (space: Space, name: string, needed = true) => {
      if (!needed && !this.#tables.names.some((known) => known === name || known.startsWith(`${name}/`)))
        return null;
      return new Elements(
        space,
        (key) => this.#table(key === "" ? name : `${name}/${key}`, sizeIn(space, key)),
        source,
      );
    };
    const observations = elements(observation_space, "observations") as Elements;
    const next_observations = elements(observation_space, "next_observations", false);
    const actions = elements(action_space, "actions") as Elements;
    const rewards = numbersOf(this.#table("rewards", 1), source);
    const { rows } = rewards;
    const choices = keptMask(layout);
    const masksNamed = (name: string) => masksOf(this.#table(name, choices), layout, source);
    const masks = choices === 0 ? null : masksNamed("action_masks");
    const next_masks = masks && next_observations && masksNamed("next_action_masks");
    for (const column of [observations, next_observations, actions, masks, next_masks]) {
      if (column && column.rows !== rows)
        throw new DatasetError(
          source,
          `${column.place}: found ${column.rows} rows, allowed ${rows} (the number of rewards)`,
        );
    }
    const { terminated, last } = this.#episodeEnds;
    const terminations = flagsOf(columnOf(terminated, "terminals", 1, source), source);
    // Without next observations, the next row is one, unless an episode was cut there. A terminal row needs none.
    const known =
      next_observations === null
        ? terminated.map((ended, row) => (ended === 1 || (last[row] !== 1 && row < rows - 1) ? 1 : 0))
        : null;
    const stretches: Stretch[] = [];
    for (let from = 0; from < rows; from += CHUNK) {
      const to = Math.min(rows, from + CHUNK);
      stretches.push({
        place: `rows ${from} to ${to - 1}`,
        from,
        to,
        kept: known?.subarray(from, to) ?? null,
        observations,
        next_observations,
        masks,
        next_masks,
        actions,
        rewards,
        terminations,
        ends: to === rows,
      });
    }
    const left = known ? known.reduce((sum, is) => sum + (1 - is), 0) : 0;
    const notices = [...this.notices];
    if (left > 0)
      notices.push(
        `${source}: ${left} of ${rows} rows are left out: the last row, and the last of an episode that was cut, have no known next observation`,
      );
    return new TransitionReader({ stretches, layout, most, source, notices });
  }

  close(): void {
    this.#close();
  }

  get #episodeEnds(): EpisodeEnds {
    this.#ends ??= episodeEnds(this.#tables, this.total_steps);
    return this.#ends;
  }

  #table(name: string, size: number): Column {
    const column = this.#tables.find(name, size);
    if (column) return column;
    throw new DatasetError(this.source, `${name} is missing`);
  }
}

const sizeIn = (space: Space, key: string): number =>
  space.kind === "Dict" || space.kind === "Tuple"
    ? (space.parts.find((part) => part.key === key)?.size ?? 1)
    : elementSize(space);
