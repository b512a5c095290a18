/** Data sets that store all episodes consecutively in the same tables, in a file or in memory. */
import type { AgentSpaces, Space } from "../../rl/spaces/index.ts";
import { elementSize } from "../../rl/spaces/index.ts";
import { type Column, columnAt, columnOf, type DataHandle } from "../Column.ts";
import type { Dataset, DatasetEpisode, ObservedStretch } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { Elements } from "../Elements.ts";
import { rowSpace } from "../rowSpace.ts";
import { flagsOf, numbersOf } from "../scalars.ts";
import type { Stretch } from "../stretch.ts";
import { type DatasetTransitions, TransitionReader } from "../TransitionReader.ts";

const REQUIRED = ["observations", "actions", "rewards", "terminals"] as const;
/** Tables that mark the rows at which an episode was truncated. */
const CUTS = ["timeouts", "truncations"] as const;
/** Rows read at a time. */
const CHUNK = 16_384;

/** Arrays named like the tables of flat files: typed arrays, or lists of rows. */
export interface DatasetArrays {
  readonly observations: unknown;
  readonly actions: unknown;
  readonly rewards: unknown;
  readonly terminals: unknown;
  readonly next_observations?: unknown;
  readonly timeouts?: unknown;
  readonly truncations?: unknown;
}

/** Finds a table by name, with rows of `size` numbers; `null` if there is none. */
type FindTable = (name: string, size: number) => Column | null;

export interface FlatOptions {
  readonly source: string;
  readonly sha256?: string | null;
  readonly close?: () => void;
}

/** Whether an open file has at least one table of a flat data set. */
export const isFlat = (names: readonly string[]): boolean => REQUIRED.some((name) => names.includes(name));

export class FlatDataset implements Dataset {
  readonly format = "flat";
  readonly source: string;
  readonly sha256: string | null;
  readonly observation_space = null;
  readonly action_space = null;
  readonly environment = null;
  readonly description = null;
  readonly #find: FindTable;
  readonly #close: () => void;

  /** @throws DatasetError if a table is missing. */
  private constructor(
    find: FindTable,
    names: readonly string[],
    { source, sha256 = null, close }: FlatOptions,
  ) {
    this.source = source;
    this.sha256 = sha256;
    this.#find = find;
    this.#close = close ?? (() => undefined);
    const missing = REQUIRED.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new DatasetError(
        source,
        `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing; found ${names.join(", ") || "nothing"}, allowed ${REQUIRED.join(", ")}, and optionally next_observations, timeouts or truncations`,
      );
  }

  static ofHandle(handle: DataHandle, options: FlatOptions): FlatDataset {
    return new FlatDataset((name) => columnAt(handle, name, options.source), handle.keys(), options);
  }

  static ofArrays(arrays: DatasetArrays, options: FlatOptions): FlatDataset {
    const given: Readonly<Record<string, unknown>> = { ...arrays };
    const names = Object.keys(given).filter((name) => given[name] !== undefined && given[name] !== null);
    const find: FindTable = (name, size) =>
      names.includes(name) ? columnOf(given[name], name, size, options.source) : null;
    return new FlatDataset(find, names, options);
  }

  get total_steps(): number {
    return this.#flag("terminals")?.rows ?? 0;
  }

  episodes(): DatasetEpisode[] {
    const flags = (name: string): Uint8Array => this.#flags(name) ?? new Uint8Array(this.total_steps);
    const terminals = flags("terminals");
    const [timeouts, truncations] = CUTS.map(flags) as [Uint8Array, Uint8Array];
    const rewards = this.#table("rewards", 1).read(0, terminals.length) as ArrayLike<number>;
    const episodes: DatasetEpisode[] = [];
    let [steps, sum] = [0, 0];
    for (let row = 0; row < terminals.length; row++) {
      steps++;
      sum += Number(rewards[row]);
      const isCut = timeouts[row] === 1 || truncations[row] === 1;
      const isLast = row === terminals.length - 1;
      if (terminals[row] !== 1 && !isCut && !isLast) continue;
      const end = terminals[row] === 1 ? "terminated" : isCut ? "truncated" : "open";
      episodes.push({ id: episodes.length, steps, return: sum, end });
      [steps, sum] = [0, 0];
    }
    return episodes;
  }

  observations(): ObservedStretch[] {
    const column = this.#table("observations", 1);
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
      if (!needed && this.#find(name, elementSize(space)) === null) return null;
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
    const terminations = this.#flag("terminals") as Elements;
    const { rows } = rewards;
    for (const column of [observations, next_observations, actions, terminations]) {
      if (column && column.rows !== rows)
        throw new DatasetError(
          source,
          `${column.place}: found ${column.rows} rows, allowed ${rows} (the number of rewards)`,
        );
    }
    const known = next_observations === null ? this.#successors() : null;
    const stretches: Stretch[] = [];
    // The table's last row has no next observation.
    const readable = known ? rows - 1 : rows;
    for (let from = 0; from < readable; from += CHUNK) {
      const to = Math.min(readable, from + CHUNK);
      stretches.push({
        place: `rows ${from} to ${to - 1}`,
        from,
        to,
        kept: known?.subarray(from, to) ?? null,
        observations,
        next_observations,
        actions,
        rewards,
        terminations,
        ends: to === readable,
      });
    }
    const left = known ? known.reduce((sum, is) => sum + (1 - is), 0) : 0;
    const notices =
      left === 0
        ? []
        : [
            `${source}: ${left} of ${rows} rows are left out: truncated steps and the last row have no known next observation`,
          ];
    return new TransitionReader({ stretches, layout, most, source, notices });
  }

  close(): void {
    this.#close();
  }

  /**
   * 1 for each row whose next observation is known (the next row) or not needed
   * (the task ended), otherwise 0.
   */
  #successors(): Uint8Array {
    const terminals = this.#flags("terminals") ?? new Uint8Array();
    const cuts = CUTS.map((name) => this.#flags(name));
    return terminals.map((ended, row) => {
      const isCut = ended !== 1 && cuts.some((cut) => cut?.[row] === 1);
      return row < terminals.length - 1 && !isCut ? 1 : 0;
    });
  }

  #flags(name: string): Uint8Array | null {
    const column = this.#find(name, 1);
    if (!column) return null;
    const [rows = 0] = column.shape;
    if (name !== "terminals" && rows !== this.total_steps)
      throw new DatasetError(
        this.source,
        `${name}: found ${rows} rows, allowed ${this.total_steps} (the number of terminals)`,
      );
    return Uint8Array.from(column.read(0, rows) as ArrayLike<number>, (x) => (Number(x) === 0 ? 0 : 1));
  }

  #flag(name: string): Elements | null {
    const column = this.#find(name, 1);
    return column && flagsOf(column, this.source);
  }

  #table(name: string, size: number): Column {
    const column = this.#find(name, size);
    if (column) return column;
    throw new DatasetError(this.source, `${name} is missing`);
  }
}

const sizeIn = (space: Space, key: string): number =>
  space.kind === "Dict" || space.kind === "Tuple"
    ? (space.parts.find((part) => part.key === key)?.size ?? 1)
    : elementSize(space);
