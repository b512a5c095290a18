/** The post-processors of tokenizer.json: the ids that they put around a text. Offsets and pairs of texts do not occur. */
import { z } from "zod";
import { NO_SPECIAL_IDS, type SpecialIds } from "../Tokenizer.ts";
import { partUnion } from "./partUnion.ts";

const type_id = z.int().nonnegative();
const piece = z.union([
  z.strictObject({ SpecialToken: z.strictObject({ id: z.string(), type_id }) }),
  z.strictObject({ Sequence: z.strictObject({ id: z.enum(["A", "B"]), type_id }) }),
]);

const specialToken = z.strictObject({
  id: z.string(),
  ids: z.array(z.int().nonnegative()),
  tokens: z.array(z.string()),
});

const isText = (part: z.output<typeof piece>): boolean => "Sequence" in part;

const template = z
  .strictObject({
    type: z.literal("TemplateProcessing"),
    single: z.array(piece).refine((pieces) => pieces.filter(isText).length === 1, "allowed one Sequence"),
    pair: z.array(piece).optional(),
    special_tokens: z.record(z.string(), specialToken),
  })
  .transform(({ single, special_tokens }, context): SpecialIds => {
    const ids = (pieces: typeof single): readonly number[] =>
      pieces.flatMap((part) => {
        if (!("SpecialToken" in part)) return [];
        const { id } = part.SpecialToken;
        const found = special_tokens[id];
        const message = `has no ${JSON.stringify(id)}, which single names`;
        if (found === undefined) context.addIssue({ code: "custom", path: ["special_tokens"], message });
        return found?.ids ?? [];
      });
    const text = single.findIndex(isText);
    return { before: ids(single.slice(0, text)), after: ids(single.slice(text)) };
  });

const token = z.tuple([z.string(), z.int().nonnegative()]);

const framed = <const T extends string>(type: T) =>
  z
    .strictObject({
      type: z.literal(type),
      sep: token,
      cls: token,
      trim_offsets: z.boolean().optional(),
      add_prefix_space: z.boolean().optional(),
    })
    .transform(({ cls, sep }): SpecialIds => ({ before: [cls[1]], after: [sep[1]] }));

const offsets = z
  .strictObject({
    type: z.literal("ByteLevel"),
    add_prefix_space: z.boolean().optional(),
    trim_offsets: z.boolean().optional(),
    use_regex: z.boolean().optional(),
  })
  .transform(() => NO_SPECIAL_IDS);

const addsIds = ({ before, after }: SpecialIds): boolean => before.length + after.length > 0;

const sequence = z
  .strictObject({
    type: z.literal("Sequence"),
    processors: z
      .array(z.lazy((): z.ZodType<SpecialIds> => postProcessor))
      .refine((processors) => processors.filter(addsIds).length < 2, "allowed one that adds ids"),
  })
  .transform(({ processors }) => processors.find(addsIds) ?? NO_SPECIAL_IDS);

export const postProcessor: z.ZodType<SpecialIds> = partUnion("post-processor", [
  sequence,
  template,
  framed("BertProcessing"),
  framed("RobertaProcessing"),
  offsets,
]);
