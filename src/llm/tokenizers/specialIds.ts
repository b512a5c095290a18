/** The ids that a tokenizer puts around raw text, read from `post_processor` of `tokenizer.json`. */
import { z } from "zod";

export interface SpecialIds {
  /** Ids before a text, such as a start token. */
  readonly before: readonly number[];
  /** Ids after a text, such as an end token. */
  readonly after: readonly number[];
}

export const NO_SPECIAL_IDS: SpecialIds = { before: [], after: [] };

const piece = z.union([
  z.object({ SpecialToken: z.object({ id: z.string() }) }),
  z.object({ Sequence: z.object({ id: z.string() }) }),
]);

const template = z.object({
  type: z.literal("TemplateProcessing"),
  single: z.array(piece).refine((pieces) => pieces.some((each) => "Sequence" in each), "has no text"),
  special_tokens: z.record(z.string(), z.object({ ids: z.array(z.int().nonnegative()) })),
});

const token = z.tuple([z.string(), z.int().nonnegative()]);

const framed = z.object({
  type: z.enum(["BertProcessing", "RobertaProcessing"]),
  cls: token,
  sep: token,
});

const sequence = z.object({ type: z.literal("Sequence"), processors: z.array(z.unknown()) });

/** Changes offsets only. */
const offsets = z.object({ type: z.literal("ByteLevel") });

const postProcessor = z.discriminatedUnion("type", [template, framed, sequence, offsets]).nullish();

/** @throws Error for a post-processor that is not supported. */
export function specialIdsOf(content: unknown): SpecialIds {
  const found = postProcessor.parse(content);
  switch (found?.type) {
    case "TemplateProcessing":
      return idsOfTemplate(found);
    case "BertProcessing":
    case "RobertaProcessing":
      return { before: [found.cls[1]], after: [found.sep[1]] };
    case "Sequence":
      // The others change offsets; several that add ids would treat those as a second text.
      return found.processors.map(specialIdsOf).find(addsIds) ?? NO_SPECIAL_IDS;
    default:
      return NO_SPECIAL_IDS;
  }
}

const addsIds = ({ before, after }: SpecialIds): boolean => before.length + after.length > 0;

function idsOfTemplate({ single, special_tokens }: z.output<typeof template>): SpecialIds {
  const text = single.findIndex((each) => "Sequence" in each);
  const ids = (pieces: typeof single): readonly number[] =>
    pieces.flatMap((each) => ("SpecialToken" in each ? idsOf(each.SpecialToken.id) : []));
  const idsOf = (name: string): readonly number[] => {
    const found = special_tokens[name];
    if (found) return found.ids;
    throw new Error(`post_processor: special_tokens has no ${JSON.stringify(name)}`);
  };
  return { before: ids(single.slice(0, text)), after: ids(single.slice(text)) };
}
