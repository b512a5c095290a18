/** Changes that the user makes to a run apart from its training: name, tags, note and checkpoints. */
import { z } from "zod";
import type { CheckpointInfo, RunPatch } from "../../storage/index.ts";
import type { Coordinator } from "../protocol/calls.ts";
import type { Runs } from "../runs/Runs.ts";

const MAX_NAME = 200;
const MAX_TAG = 64;
const MAX_TAGS = 32;
const MAX_NOTE = 20_000;

const nameSchema = z.string().trim().min(1).max(MAX_NAME);
const tagsSchema = z.array(z.string().trim().min(1).max(MAX_TAG)).max(MAX_TAGS);
const noteSchema = z.string().max(MAX_NOTE);

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, rule: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const length = typeof value === "string" || Array.isArray(value) ? `length ${value.length}` : typeof value;
  throw new Error(`${rule}; found ${length}. Nothing was changed.`);
}

/** @throws Error for a name that is empty or too long. */
export const requireName = (name: unknown): string =>
  checked(nameSchema, name, `A name has 1 to ${MAX_NAME} characters`);

/** A run's name with an ending, cut to the longest that is allowed. */
export const withEnding = (name: string, ending: string): string =>
  `${name.slice(0, MAX_NAME - ending.length)}${ending}`;

export class RunEdits {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  readonly calls = {
    rename: async (id, name) => this.#patch(id, { name: requireName(name) }),

    setTags: async (id, tags) => {
      const rule = `At most ${MAX_TAGS} tags of 1 to ${MAX_TAG} characters`;
      await this.#patch(id, { tags: [...new Set(checked(tagsSchema, tags, rule))] });
    },

    setNote: async (id, text) => {
      await this.#patch(id, { note: checked(noteSchema, text, `A note has at most ${MAX_NOTE} characters`) });
      this.#runs.emit({ run: id, kind: "note", text });
    },

    checkpoints: async (id) => {
      const { pinned = [] } = await this.#runs.record(id);
      const all = await this.#runs.store.checkpoints.list(id);
      return all.toReversed().map(({ name, commit }) => ({
        generation: commit.generation,
        global_step: commit.global_step,
        fitness: commit.fitness,
        bytes: commit.files.reduce((sum, { size }) => sum + size, 0),
        at: commit.at ?? Number.NaN,
        pinned: pinned.includes(name),
      }));
    },

    pin: async (id, generation, on) => {
      const { name } = await this.#checkpoint(id, generation);
      await this.#runs.store.checkpoints.pin(id, name, on);
      await this.#runs.tellSummary(id);
    },

    deleteCheckpoint: async (id, generation) => {
      const { name } = await this.#checkpoint(id, generation);
      const { checkpoint } = await this.#runs.record(id);
      if (checkpoint?.name === name)
        throw new Error("This is the newest checkpoint, from which the run resumes; it cannot be deleted.");
      await this.#runs.store.checkpoints.delete(id, name);
      await this.#runs.tellSummary(id);
    },
  } satisfies Partial<Coordinator>;

  /** @throws Error if there is none. */
  async #checkpoint(id: string, generation: number): Promise<CheckpointInfo> {
    await this.#runs.record(id);
    const all = await this.#runs.store.checkpoints.list(id);
    const found = all.findLast(({ commit }) => commit.generation === generation);
    if (found) return found;
    throw new Error(`There is no checkpoint of generation ${generation} any more; choose another.`);
  }

  async #patch(id: string, patch: RunPatch): Promise<void> {
    await this.#runs.record(id);
    await this.#runs.store.updateRun(id, patch);
    await this.#runs.tellSummary(id);
  }
}

/** The name itself, or with a number if it is used. */
export function unusedName(name: string, used: ReadonlySet<string | undefined>): string {
  let unused = name;
  for (let number = 2; used.has(unused); number++) unused = `${name} (${number})`;
  return unused;
}
