/** Generates completions for a batch of prompts, sampling each token on the host. */

import type { AnswerRules } from "../sampling/AnswerRules.ts";
import type { SamplingSettings } from "../sampling/SamplingSettings.ts";
import type { StopStrings } from "../sampling/StopStrings.ts";
import { sampleToken, samplingWorkspace } from "../sampling/sampleToken.ts";
import type { Growing } from "./Decodings.ts";

/** Key of the random draws of a row. */
export interface RowDraw {
  readonly seed: number;
  readonly slot: number;
  readonly iteration: number;
  readonly trajectory: number;
}

/** Keys of rows that only their position distinguishes. */
export const drawOf =
  (seed: number, slot: number, iteration: number) =>
  (trajectory: number): RowDraw => ({ seed, slot, iteration, trajectory });

export interface Generated {
  /** Generated tokens in order, including the one that ended the completion. */
  readonly ids: Int32Array;
  /** Log-probability of each, at `log_prob_temperature`. */
  readonly log_probs: Float32Array;
}

export interface GenerateOptions {
  readonly settings: SamplingSettings;
  /** Upper bound on the tokens of each row's completion; 0 for rows that are left out. */
  readonly most: readonly number[];
  readonly draw: (row: number) => RowDraw;
  /** Rules that constrain each completion; `null` for none. */
  readonly answers?: AnswerRules | null;
  /** Texts that end a completion of at least `min_output_tokens`; `null` for none. */
  readonly stops?: StopStrings | null;
  /** Called with each token of a row as it is sampled; resolves to whether the row goes on. */
  readonly heard?: (row: number, id: number) => Promise<boolean>;
}

/**
 * Completes rows whose tokens so far are `prompts`. The cache may already contain the first tokens of each.
 * @param prompts All tokens of each row; `null` for rows that are left out.
 */
export async function generate(
  decoding: Growing,
  prompts: readonly (ArrayLike<number> | null)[],
  { settings, most, draw, answers = null, stops = null, heard }: GenerateOptions,
): Promise<readonly Generated[]> {
  const rows = prompts.map((prompt, row) => ({
    seen: Array.from(prompt ?? []),
    log_probs: [] as number[],
    start: prompt?.length ?? 0,
    guide: answers?.begin() ?? null,
    open: prompt !== null && (most[row] ?? 0) > 0,
  }));
  const ends = new Set(settings.stop_tokens);
  const least = settings.min_output_tokens ?? 0;
  let workspace: ReturnType<typeof samplingWorkspace> | null = null;
  while (rows.some(({ open }) => open)) {
    const logits = await decoding.extend(
      rows.map(({ open, seen }, row) => (open ? seen.slice(decoding.length(row)) : [])),
    );
    for (const [i, row] of rows.entries()) {
      const own = logits[i];
      if (!row.open || !own) continue;
      workspace ??= samplingWorkspace(own.length);
      const generated = row.seen.length - row.start;
      const place = { ...draw(i), position: row.seen.length };
      const { id, log_prob } = sampleToken(
        own,
        settings,
        { seen: row.seen, generated, place, allowed: row.guide?.allowed ?? null },
        workspace,
      );
      row.guide?.take(id);
      row.seen.push(id);
      row.log_probs.push(log_prob);
      const stopped = generated + 1 >= least && stops?.completedBy(row.seen, row.start);
      row.open = !ends.has(id) && !stopped && generated + 1 < (most[i] ?? 0);
      if (heard && !(await heard(i, id))) row.open = false;
    }
  }
  return rows.map(({ seen, start, log_probs }) => ({
    ids: Int32Array.from(seen.slice(start)),
    log_probs: Float32Array.from(log_probs),
  }));
}
