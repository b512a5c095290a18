/** Data sets in Minari's layout: one group of tables per episode. */
import { keptMask } from "../../rl/programs.ts";
import { type AgentSpaces, describeSpace, type SingleAgentSpace, type Space } from "../../rl/spaces.ts";
import { type Column, columnAt, type DataHandle } from "../Column.ts";
import type { Dataset, DatasetEpisode, ObservedStretch, ReferenceScores } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { Elements } from "../Elements.ts";
import { flagsOf, masksOf, numbersOf, readFlags, rowSpace } from "../rowSpace.ts";
import type { Stretch } from "../stretch.ts";
import { type DatasetTransitions, TransitionReader } from "../TransitionReader.ts";
import { type MinariMetadata, NO_METADATA } from "./minariMetadata.ts";

/** Whether two spaces have elements of the same sizes and choices; bounds may differ. */
function isAlike(a: Space, b: Space): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "Discrete" && b.kind === "Discrete") return a.n === b.n && a.start === b.start;
  if (a.kind === "MultiDiscrete" && b.kind === "MultiDiscrete") return a.nvec.join() === b.nvec.join();
  if ((a.kind === "Dict" && b.kind === "Dict") || (a.kind === "Tuple" && b.kind === "Tuple")) {
    if (a.parts.length !== b.parts.length) return false;
    return a.parts.every((part) => {
      const other = b.parts.find(({ key }) => key === part.key);
      return other !== undefined && isAlike(part.space, other.space);
    });
  }
  return a.shape.join() === b.shape.join();
}

/** @throws DatasetError if the data's space differs from the environment's. */
function requireSameSpace(
  name: "observation_space" | "action_space",
  found: SingleAgentSpace | null,
  needed: Space,
  source: string,
): void {
  if (found === null || isAlike(found, needed)) return;
  throw new DatasetError(
    source,
    `${name}: found ${describeSpace(found)}, allowed ${describeSpace(needed)} (the environment's); use data from this environment, or evaluate in the environment of the data`,
  );
}

interface MinariOptions {
  readonly source: string;
  readonly metadata?: MinariMetadata;
  readonly sha256?: string | null;
  readonly close?: () => void;
}

/** Table of the masks of an episode's observations. */
const MASKS = "infos/action_mask";

const EPISODE = /^episode_(\d+)$/;

/** Whether an open file has Minari's layout. */
export const isMinari = (handle: DataHandle): boolean => handle.keys().some((key) => EPISODE.test(key));

/** Minari's name for the table of a part; Tuple spaces use a prefix. */
const partName = (space: Space, key: string): string => (space.kind === "Tuple" ? `_index_${key}` : key);

export class MinariDataset implements Dataset {
  readonly format = "minari";
  readonly source: string;
  readonly sha256: string | null;
  readonly #handle: DataHandle;
  readonly #metadata: MinariMetadata;
  readonly #close: () => void;
  /** Episode numbers in ascending order; the file sorts group names as text. */
  readonly #ids: readonly number[];
  #steps: number | null = null;

  /** @throws DatasetError if episodes are missing. */
  constructor(handle: DataHandle, { source, metadata = NO_METADATA, sha256 = null, close }: MinariOptions) {
    this.#handle = handle;
    this.source = source;
    this.sha256 = sha256;
    this.#metadata = metadata;
    this.#close = close ?? (() => undefined);
    this.#ids = handle
      .keys()
      .flatMap((key) => {
        const id = EPISODE.exec(key)?.[1];
        return id === undefined ? [] : [Number(id)];
      })
      .toSorted((a, b) => a - b);
    const { total_episodes } = metadata;
    if (total_episodes !== null && total_episodes !== this.#ids.length)
      throw new DatasetError(
        source,
        `found ${this.#ids.length} episodes, allowed ${total_episodes} (total_episodes of metadata.json); the file is incomplete, fetch it again`,
      );
  }

  get notices(): readonly string[] {
    return [];
  }

  get observation_space() {
    return this.#metadata.observation_space;
  }

  get action_space() {
    return this.#metadata.action_space;
  }

  get environment(): string | null {
    return this.#metadata.environment;
  }

  get description(): string | null {
    return this.#metadata.description;
  }

  get reference_scores(): ReferenceScores | null {
    return this.#metadata.reference_scores;
  }

  get masked(): boolean {
    const [first] = this.#ids;
    return first !== undefined && columnAt(this.#handle, `episode_${first}/${MASKS}`, this.source) !== null;
  }

  get total_steps(): number {
    this.#steps ??= this.#ids.reduce((sum, id) => sum + (this.#column(id, "rewards").shape[0] ?? 0), 0);
    return this.#steps;
  }

  episodes(): DatasetEpisode[] {
    return this.#ids.map((id) => {
      const rewards = this.#column(id, "rewards");
      const [steps = 0] = rewards.shape;
      const numbers = Array.from(rewards.read(0, steps) as ArrayLike<number>, Number);
      const last = (name: string): boolean =>
        steps > 0 && readFlags(this.#column(id, name), this.source)[steps - 1] === 1;
      const end = last("terminations") ? "terminated" : last("truncations") ? "truncated" : "open";
      return { id, steps, return: numbers.reduce((sum, x) => sum + x, 0), end };
    });
  }

  tables(name: "observations" | "actions"): readonly Column[] {
    return this.#ids.map((id) => this.#column(id, name));
  }

  observations(): ObservedStretch[] {
    return this.#stretches("observations", this.observation_space);
  }

  actions(): ObservedStretch[] {
    return this.#stretches("actions", this.action_space);
  }

  #stretches(name: "observations" | "actions", known: SingleAgentSpace | null): ObservedStretch[] {
    // Opened lazily: there may be many thousands of episodes, of which only a few are read.
    return this.#ids.map((id) => {
      let opened: Elements | null = null;
      const elements = (): Elements => {
        opened ??= this.#elements(id, known ?? rowSpace(this.#column(id, name)), name);
        return opened;
      };
      return {
        get rows() {
          return elements().rows;
        },
        read: (from, to) => elements().read(from, to),
      };
    });
  }

  async transitions(layout: AgentSpaces, most?: number): Promise<DatasetTransitions> {
    return this.reader(layout, most).whole();
  }

  reader(layout: AgentSpaces, most = Number.POSITIVE_INFINITY): TransitionReader {
    const { observation_space, action_space } = layout;
    requireSameSpace("observation_space", this.observation_space, observation_space, this.source);
    requireSameSpace("action_space", this.action_space, action_space, this.source);
    const stretches = this.#ids.map((id) => this.#stretch(id, layout));
    return new TransitionReader({ stretches, layout, most, source: this.source, notices: [] });
  }

  close(): void {
    this.#close();
  }

  #elements(id: number, space: Space, table: string): Elements {
    const find = (key: string) => this.#column(id, key === "" ? table : `${table}/${partName(space, key)}`);
    return new Elements(space, find, this.source, { jpeg: this.#metadata.jpeg_encoding });
  }

  #stretch(id: number, layout: AgentSpaces): Stretch {
    const { observation_space, action_space } = layout;
    const { source } = this;
    const observations = this.#elements(id, observation_space, "observations");
    const actions = this.#elements(id, action_space, "actions");
    const rewards = numbersOf(this.#column(id, "rewards"), source);
    const terminations = flagsOf(this.#column(id, "terminations"), source);
    const masks = keptMask(layout) === 0 ? null : masksOf(this.#column(id, MASKS), layout, source);
    const steps = rewards.rows;
    for (const [column, rows] of [
      [observations, steps + 1],
      [actions, steps],
      [terminations, steps],
      [masks, steps + 1],
    ] as const) {
      if (column && column.rows !== rows)
        throw new DatasetError(
          source,
          `${column.place}: found ${column.rows} rows, allowed ${rows} (episode_${id}/rewards has ${steps})`,
        );
    }
    return {
      place: `episode_${id}`,
      from: 0,
      to: steps,
      kept: null,
      observations,
      next_observations: null,
      masks,
      next_masks: null,
      actions,
      rewards,
      terminations,
      ends: true,
    };
  }

  #column(id: number, name: string): Column {
    const path = `episode_${id}/${name}`;
    const column = columnAt(this.#handle, path, this.source);
    if (column) return column;
    throw new DatasetError(
      this.source,
      `${path} is missing; allowed: observations, actions, rewards, terminations, truncations in every episode`,
    );
  }
}
