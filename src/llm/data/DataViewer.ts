/** What the rows of a manifest become: the text that a model reads, what it learns from, and which rows are left out. */
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../specs/sections.ts";
import { type MessageForm, openingIds, usesTemplate } from "../tokenizers/chatText.ts";
import { withTemplateOf } from "../tokenizers/TemplatedTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { type ExampleLimits, encodeRow, type RowFate } from "./batches.ts";
import { answersOf, labelledColumns } from "./datasetEnvOptions.ts";
import { type EncodeRow, type Example, rowEncoder } from "./examples.ts";
import { loadSplit, type RowSource, textReader } from "./loadSplit.ts";
import { requireTemplate } from "./messages.ts";
import { compilePrompt, promptOf } from "./promptTemplate.ts";
import { cellText, type Row, requireColumns } from "./rows.ts";
import { toolsOf, withTools } from "./tools.ts";

/** Consecutive tokens of one kind: read only, learned from, or beyond the limit of the context. */
export interface TextSpan {
  readonly kind: "read" | "learned" | "beyond";
  readonly text: string;
  /** Number of tokens. */
  readonly tokens: number;
}

/** One text of a row: the row itself, labelled where the data are, or the two answers of a pair, each with the prompt. */
export interface ViewedText {
  readonly name: "text" | "chosen" | "rejected" | "desirable" | "undesirable" | "prompt";
  readonly spans: readonly TextSpan[];
}

export interface ViewedRow {
  /** Position in its split, from 1. */
  readonly row: number;
  /** "used", "cut" at the limit, "dropped" because its prompt is too long, or a "fault" that makes it unusable. */
  readonly fate: RowFate["kind"];
  /** Why it cannot be used; null unless it is a fault. */
  readonly reason: string | null;
  /** Empty for a fault. */
  readonly texts: readonly ViewedText[];
  /** The expected answer of a row that a rubric rewards; null for none. */
  readonly answer: string | null;
}

/** Why rows cannot be used. */
export interface RowFault {
  readonly reason: string;
  readonly rows: number;
  /** The first of them. */
  readonly first: number;
}

export interface DataView {
  readonly split: Split;
  /** Rows of each split. */
  readonly rows: Readonly<Record<Split, number>>;
  /** Number of rows that were encoded, at most {@link MOST_READ}. */
  readonly read: number;
  /** Among those, by what becomes of them. */
  readonly counts: Readonly<Record<RowFate["kind"], number>>;
  readonly faults: readonly RowFault[];
  /** Tokens of each row without a fault, before anything is cut; of a pair, of its longer text. */
  readonly lengths: Int32Array;
  /** Most tokens of a row: of its prompt where the model writes the answer; null for no limit. */
  readonly limit: number | null;
  /** Whether a chat template writes the rows. */
  readonly templated: boolean;
  /** Number of rows that match the search. */
  readonly found: number;
  /** The rows of the requested page. */
  readonly shown: readonly ViewedRow[];
}

export type Split = "train" | "test";

/** Rows of a split that are encoded at most; the others are not looked at. */
export const MOST_READ = 10_000;

/** Different faults that are told at most. */
const MOST_FAULTS = 10;

export interface DataViewOptions extends RowSource {
  readonly tokenizer: Tokenizer;
  /** Longest sequence in tokens. */
  readonly max_model_len: number;
  /** Most tokens of an answer that the model writes, for which a prompt leaves room; null reserves one. */
  readonly max_output_tokens: number | null;
}

export interface DataRequest {
  readonly split: Split;
  /** Shows only rows whose text contains this, regardless of case; "" for all. */
  readonly words: string;
  /** First row of the page among those found, from 0. */
  readonly from: number;
  readonly count: number;
  /** Shows only rows with this fate; null for all. */
  readonly fate: RowFate["kind"] | null;
}

/** Whether the environment of a manifest has rows. */
export const hasRows = (spec: RolloutEnvSpec | DatasetEnvSpec): boolean =>
  spec.dataset !== null || spec.dataset_path !== null || spec.hf_dataset_id !== null;

interface EncodedSplit {
  readonly rows: readonly Row[];
  readonly fates: readonly RowFate[];
}

/** The rows of a manifest's environment as its model reads them. */
export class DataViewer {
  readonly #spec: RolloutEnvSpec | DatasetEnvSpec;
  readonly #form: MessageForm;
  readonly #rows: Readonly<Record<Split, readonly Row[]>>;
  /** Limits of a row; of its prompt alone where the model writes the answer. */
  readonly #limits: ExampleLimits;
  readonly #encoded = new Map<Split, EncodedSplit>();

  private constructor(
    spec: RolloutEnvSpec | DatasetEnvSpec,
    form: MessageForm,
    limits: ExampleLimits,
    rows: Readonly<Record<Split, readonly Row[]>>,
  ) {
    this.#spec = spec;
    this.#form = form;
    this.#limits = limits;
    this.#rows = rows;
  }

  /** @throws Error for a data set that cannot be read, with an alternative. */
  static async open(spec: RolloutEnvSpec | DatasetEnvSpec, options: DataViewOptions): Promise<DataViewer> {
    const { max_model_len, max_output_tokens, ...source } = options;
    const tokenizer = await withTemplateOf(options.tokenizer, spec, textReader(source));
    const { apply_chat_template, chat_template_kwargs } = spec;
    const form = { tokenizer, apply_chat_template, chat_template_kwargs };
    const reserved = Math.max(1, Math.min(max_output_tokens ?? 1, max_model_len));
    const limits =
      spec.env_type === "dataset"
        ? { max_context_length: max_model_len, min_completion_length: 1 }
        : { max_context_length: max_model_len - reserved, min_completion_length: 0 };
    const { train, test } = await loadSplit(spec, source);
    const learned = (rows: readonly Row[]): readonly Row[] =>
      spec.env_type === "dataset" ? answersOf(rows, { ...spec, objective: spec.objective ?? "sft" }) : rows;
    return new DataViewer(spec, form, limits, { train: learned(train), test: learned(test) });
  }

  /** @throws Error naming missing columns, or for messages without a chat template. */
  view({ split, words, from, count, fate }: DataRequest): DataView {
    const { rows, fates } = this.#split(split);
    const counts = { used: 0, cut: 0, dropped: 0, fault: 0 };
    for (const { kind } of fates) counts[kind]++;
    const wanted = words.trim().toLowerCase();
    const found = rows.flatMap((row, i) =>
      (fate === null || fates[i]?.kind === fate) && JSON.stringify(row).toLowerCase().includes(wanted)
        ? [i]
        : [],
    );
    return {
      split,
      rows: { train: this.#rows.train.length, test: this.#rows.test.length },
      read: rows.length,
      counts,
      faults: faultsOf(fates),
      lengths: Int32Array.from(fates.flatMap((one) => (one.kind === "fault" ? [] : [lengthOf(one.example)]))),
      limit: this.#limits.max_context_length,
      templated: usesTemplate(this.#form),
      found: found.length,
      shown: found.slice(from, from + count).flatMap((i) => {
        const [row, one] = [rows[i], fates[i]];
        return row && one ? [this.#viewed(row, one, i + 1)] : [];
      }),
    };
  }

  #split(split: Split): EncodedSplit {
    const known = this.#encoded.get(split);
    if (known) return known;
    const rows = this.#rows[split].slice(0, MOST_READ);
    const encode = rows.length === 0 ? () => NOTHING : this.#encoder(rows, split);
    const encoded = { rows, fates: rows.map((row) => encodeRow(row, encode, this.#limits)) };
    this.#encoded.set(split, encoded);
    return encoded;
  }

  #encoder(rows: readonly Row[], place: string): EncodeRow {
    const { prompt_template, response_column } = this.#spec;
    if (this.#spec.env_type === "dataset") {
      // The manifest's schema rejects an environment without an objective.
      const objective = this.#spec.objective ?? "sft";
      const columns = labelledColumns(rows, { objective, prompt_template, response_column });
      return rowEncoder(rows, columns, this.#form, place);
    }
    if (prompt_template === null) {
      requireColumns(rows, ["prompt"], place);
      requireTemplate(rows, ["prompt"], this.#form, place);
    }
    const promptOfRow = prompt_template === null ? promptOf("prompt") : compilePrompt(prompt_template, rows);
    return (row) => ({
      prompt: openingIds(withTools(this.#form, toolsOf(row, prompt_template)), promptOfRow(row)),
      answers: [],
    });
  }

  #viewed(row: Row, fate: RowFate, number: number): ViewedRow {
    const answer = this.#spec.env_type === "rollout" ? row[this.#spec.response_column ?? "answer"] : null;
    return {
      row: number,
      fate: fate.kind,
      reason: fate.kind === "fault" ? fate.reason : null,
      texts: fate.kind === "fault" ? [] : this.#textsOf(fate.example, Math.max(0, fate.room)),
      answer: (answer ?? null) === null ? null : cellText(answer),
    };
  }

  #textsOf({ prompt, answers, own, label }: Example, room: number): readonly ViewedText[] {
    const opening = this.#span("read", prompt);
    if (answers.length === 0) return [{ name: "prompt", spans: opening }];
    const only = label === undefined ? "text" : label ? "desirable" : "undesirable";
    const names: readonly ViewedText["name"][] = answers.length === 1 ? [only] : ["chosen", "rejected"];
    return names.map((name, side) => {
      const ids = answers[side] ?? new Int32Array(0);
      const kinds = Array.from(ids, (_, i): TextSpan["kind"] =>
        i >= room ? "beyond" : (own?.[i] ?? 1) === 1 ? "learned" : "read",
      );
      const starts = kinds.flatMap((kind, i) => (kind === kinds[i - 1] ? [] : [i]));
      const spans = starts.flatMap((start, i) =>
        this.#span(kinds[start] ?? "read", ids.subarray(start, starts[i + 1])),
      );
      return { name, spans: [...opening, ...spans] };
    });
  }

  #span(kind: TextSpan["kind"], ids: Int32Array): readonly TextSpan[] {
    if (ids.length === 0) return [];
    const text = this.#form.tokenizer.decode(ids, { skip_special_tokens: false });
    return [{ kind, text, tokens: ids.length }];
  }
}

const NOTHING: Example = { prompt: new Int32Array(0), answers: [] };

const lengthOf = ({ prompt, answers }: Example): number =>
  prompt.length + Math.max(0, ...answers.map(({ length }) => length));

/** The different faults, the most frequent first. */
function faultsOf(fates: readonly RowFate[]): readonly RowFault[] {
  const found = new Map<string, RowFault>();
  for (const [i, fate] of fates.entries()) {
    if (fate.kind !== "fault") continue;
    const { reason } = fate;
    const known = found.get(reason) ?? { reason, rows: 0, first: i + 1 };
    found.set(reason, { ...known, rows: known.rows + 1 });
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows || a.first - b.first).slice(0, MOST_FAULTS);
}
