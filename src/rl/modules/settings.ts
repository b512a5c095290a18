/**
 * The settings of a kind of network: defaults and stored fields, derived from its fields; its sizes, the bounds within
 * which mutation keeps them, and the steps by which it changes them.
 */
import { z } from "zod";

/** Type of a number of nodes, channels or layers in stored data. */
export const storedSize = z.int().positive();
/** Type of a bound of such a number. */
export const storedBound = z.int().nonnegative();
/** [channels, height, width] of an image. */
export const storedImage = z.tuple([storedSize, storedSize, storedSize]).readonly();
export type ImageShape = z.output<typeof storedImage>;

type Bare<S> = S extends z.ZodDefault<infer Inner> ? Inner : S;
type Frozen<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** Fields as they appear in data, without defaults. */
export type StoredFields<S extends z.ZodRawShape> = {
  readonly [K in keyof S]: z.ZodType<Frozen<z.output<Bare<S[K]>>>>;
};

function storedField(key: string, schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault) return storedField(key, schema.def.innerType as z.ZodType);
  if (schema instanceof z.ZodNullable) return storedField(key, schema.def.innerType as z.ZodType).nullable();
  if (schema instanceof z.ZodArray) return z.array(storedField(key, schema.def.element as z.ZodType)).min(1);
  if (schema instanceof z.ZodNumber) return /^(min|max)_/.test(key) ? storedBound : storedSize;
  return schema;
}

/**
 * The fields of a kind as they appear in an agent's data. Limits of manifests do not apply to data: modules
 * that callers create, and mutations, can have sizes beyond them.
 */
export const storedFields = <S extends z.ZodRawShape>(shape: S): StoredFields<S> =>
  // The loop keeps keys and drops defaults and limits, as the type states.
  Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, storedField(key, schema as z.ZodType)]),
  ) as StoredFields<S>;

type Defaults<S extends z.ZodRawShape> = {
  readonly [K in keyof S as S[K] extends z.ZodDefault ? K : never]: Frozen<NonNullable<z.output<S[K]>>>;
};

/** Defaults of the fields that have one, except defaults of null, which the field's own help explains. */
export function defaultsOf<S extends z.ZodRawShape>(shape: S): Defaults<S> {
  const defaults = Object.entries(shape).flatMap(([key, schema]) =>
    schema instanceof z.ZodDefault && schema.def.defaultValue !== null
      ? [[key, schema.def.defaultValue]]
      : [],
  );
  // Keys and values are those of the schemas.
  return Object.fromEntries(defaults) as Defaults<S>;
}

/** A check of sizes against their bounds. */
export const boundsCheck =
  (rules: readonly BoundsRule[]) =>
  (settings: Settings, context: z.core.$RefinementCtx): void =>
    checkBounds(settings, rules, context);

/**
 * Defaults of one of three uses of a kind, which differ for some fields. A section that declares its `arch`
 * has the fields' own defaults. A section that does not, and a module that a caller creates (`EvolvableMLP`),
 * have others. The file of a kind lists only where the second and third differ from the first.
 */
export const defaultsWith = <S extends z.ZodRawShape, const D extends Settings>(
  shape: S,
  differing: D,
): Omit<Defaults<S>, keyof D> & D => ({ ...defaultsOf(shape), ...differing });

/** A size and the bounds within which mutation keeps it, by their keys. */
export interface SizeRule {
  readonly size: string;
  readonly min: string;
  readonly max: string;
}

/** Bounds of a latent vector: between encoder and head, or after an extractor. */
export const LATENT_BOUNDS: SizeRule = {
  size: "latent_dim",
  min: "min_latent_dim",
  max: "max_latent_dim",
};

/** The widths of a stack of layers, with bounds on the number of layers and on each width, by their keys. */
export interface StackRule {
  readonly widths: string;
  /** Other lists that have one item for each layer. */
  readonly lists?: readonly string[];
  /** Name of its layers in messages (default: "layer"). */
  readonly layer?: string;
  readonly min_layers: string;
  readonly max_layers: string;
  readonly min_width: string;
  readonly max_width: string;
}

/** The sizes of a part of a network that mutations change, and their bounds. */
export type BoundsRule = SizeRule | StackRule;

/** Settings by their keys. */
export type Settings = Readonly<Record<string, unknown>>;

const numberAt = (settings: Settings, key: string): number | undefined => {
  const value = settings[key];
  return typeof value === "number" ? value : undefined;
};

const widthsAt = (settings: Settings, key: string): readonly number[] | undefined => {
  const value = settings[key];
  return Array.isArray(value) ? (value as readonly number[]) : undefined;
};

const issueAt =
  (context: z.core.$RefinementCtx) =>
  (path: (string | number)[], message: string): void =>
    context.addIssue({ code: "custom", path, message, params: { code: "range" } });

/** Adds an issue if a size lies outside its bounds or the bounds cross; absent values are not compared. */
export function checkSize(settings: Settings, rule: SizeRule, context: z.core.$RefinementCtx): void {
  const order = [
    [rule.min, rule.size],
    [rule.size, rule.max],
    [rule.min, rule.max],
  ] as const;
  for (const [low, high] of order) {
    const [lower, upper] = [numberAt(settings, low), numberAt(settings, high)];
    if (lower === undefined || upper === undefined || lower <= upper) continue;
    issueAt(context)([low], `found ${lower}; must be at most ${high} (${upper})`);
    return;
  }
}

/** Adds an issue for every size of a stack outside the given bounds, and for bounds that cross. */
function checkStack(settings: Settings, rule: StackRule, context: z.core.$RefinementCtx): void {
  const fail = issueAt(context);
  for (const [low, high] of [
    [rule.min_layers, rule.max_layers],
    [rule.min_width, rule.max_width],
  ] as const) {
    const [lower, upper] = [numberAt(settings, low), numberAt(settings, high)];
    if (lower !== undefined && upper !== undefined && lower > upper)
      fail([low], `found ${lower}; must be at most ${high} (${upper})`);
  }
  const widths = widthsAt(settings, rule.widths);
  if (widths === undefined || widths.length === 0) return;
  const bounds = (key: string): number | undefined => numberAt(settings, key);
  const [fewest, most] = [bounds(rule.min_layers), bounds(rule.max_layers)];
  const layers = widths.length;
  if (fewest !== undefined && layers < fewest)
    fail([rule.widths], `found ${layers} layers; must have at least ${rule.min_layers} (${fewest})`);
  if (most !== undefined && layers > most)
    fail([rule.widths], `found ${layers} layers; must have at most ${rule.max_layers} (${most})`);
  const [narrowest, widest] = [bounds(rule.min_width), bounds(rule.max_width)];
  for (const [index, width] of widths.entries()) {
    if (narrowest !== undefined && width < narrowest)
      fail([rule.widths, index], `found ${width}; must be at least ${rule.min_width} (${narrowest})`);
    if (widest !== undefined && width > widest)
      fail([rule.widths, index], `found ${width}; must be at most ${rule.max_width} (${widest})`);
  }
}

/** Adds an issue if a list of a stack has more or fewer items than the first list. */
function checkLists(settings: Settings, rule: StackRule, context: z.core.$RefinementCtx): void {
  const { widths, lists = [], layer = "layer" } = rule;
  const found = [widths, ...lists].flatMap((key) => {
    const length = widthsAt(settings, key)?.length;
    return length === undefined ? [] : [{ key, length }];
  });
  const [first, ...others] = found;
  for (const { key, length } of others) {
    if (first === undefined || length === first.length) continue;
    const message = `found ${length} items; must have one for each ${layer}, as ${first.key} (${first.length})`;
    issueAt(context)([key], message);
  }
}

/** Adds an issue for every size that violates one of the rules; absent values are not compared. */
export function checkBounds(
  settings: Settings,
  rules: readonly BoundsRule[],
  context: z.core.$RefinementCtx,
): void {
  for (const rule of rules) {
    if ("size" in rule) checkSize(settings, rule, context);
    else {
      checkStack(settings, rule, context);
      checkLists(settings, rule, context);
    }
  }
}

/** Keys of the sizes that mutations change. */
export const mutatedSizes = (rules: readonly BoundsRule[]): string[] =>
  rules.flatMap((rule) => ("size" in rule ? [rule.size] : [rule.widths, ...(rule.lists ?? [])]));

const clamp = (value: number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, low), high);

/**
 * Fills in a size and its bounds: given values are kept, a default size is clamped to given bounds, and
 * default bounds are widened to include a given size.
 */
export function fillSize(given: Settings, defaults: Settings, rule: SizeRule): Record<string, number> {
  const [low, high] = [numberAt(given, rule.min), numberAt(given, rule.max)];
  const fallback = (key: string): number => numberAt(defaults, key) ?? 1;
  const size = numberAt(given, rule.size) ?? clamp(fallback(rule.size), low, high);
  return {
    [rule.size]: size,
    [rule.min]: low ?? Math.min(fallback(rule.min), size),
    [rule.max]: high ?? Math.max(fallback(rule.max), size),
  };
}

/** Fills in a stack's widths, other lists and bounds, like {@link fillSize}. All lists get equal lengths. */
function fillStack(given: Settings, defaults: Settings, rule: StackRule): Settings {
  const { lists = [] } = rule;
  const preset = widthsAt(defaults, rule.widths) ?? [];
  const bound = (key: string): number | undefined => numberAt(given, key);
  const fallback = (key: string): number => numberAt(defaults, key) ?? 1;
  const listed = [rule.widths, ...lists]
    .map((key) => widthsAt(given, key))
    .find((list) => list !== undefined);
  const count = clamp(listed?.length ?? preset.length, bound(rule.min_layers), bound(rule.max_layers));
  const widths =
    widthsAt(given, rule.widths) ??
    Array.from({ length: count }, (_, index) =>
      clamp(preset[Math.min(index, preset.length - 1)] ?? 1, bound(rule.min_width), bound(rule.max_width)),
    );
  const others = lists.map((key) => [
    key,
    widthsAt(given, key) ?? widths.map(() => widthsAt(defaults, key)?.[0] ?? 1),
  ]);
  return {
    [rule.widths]: widths,
    ...Object.fromEntries(others),
    [rule.min_layers]: bound(rule.min_layers) ?? Math.min(fallback(rule.min_layers), widths.length),
    [rule.max_layers]: bound(rule.max_layers) ?? Math.max(fallback(rule.max_layers), widths.length),
    [rule.min_width]: bound(rule.min_width) ?? Math.min(fallback(rule.min_width), ...widths),
    [rule.max_width]: bound(rule.max_width) ?? Math.max(fallback(rule.max_width), ...widths),
  };
}

/** All settings: given ones, defaults for the others, and sizes and bounds that fit each other. */
export function fillSettings(settings: Settings, defaults: Settings, rules: readonly BoundsRule[]): Settings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const sizes = rules.map((rule) =>
    "size" in rule ? fillSize(settings, defaults, rule) : fillStack(settings, defaults, rule),
  );
  return Object.assign({}, defaults, given, ...sizes);
}

/** How many nodes one mutation may add or remove. */
export const NODE_STEPS = [16, 32, 64] as const;

/** The same for channels of convolutions and for widths of latent vectors. */
export const CHANNEL_STEPS = [8, 16, 32] as const;
