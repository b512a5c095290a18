/** What every node of the form has, whatever its kind. */
export interface NodeBase {
  /** The key in the manifest, which is the label too. */
  readonly key: string;
  /** Other names under which the key may stand in the text. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly required: boolean;
  /** Whether "nothing" is a value of its own. */
  readonly nullable: boolean;
  /** Folded away until asked for. */
  readonly advanced: boolean;
  /** False when the value is only carried along. */
  readonly effect: boolean;
  readonly unit: string | null;
  /** What holds when the key is absent, in words; null when the schema does not say. */
  readonly unset: string | null;
}

export interface GroupNode extends NodeBase {
  readonly kind: "group";
  readonly children: readonly FormNode[];
}

/** One of several groups, told apart by the content. */
export interface ChoiceNode extends NodeBase {
  readonly kind: "choice";
  readonly options: readonly GroupNode[];
  /** The key whose value names the option, and the names in the order of `options`; null: told by content. */
  readonly tag: { readonly key: string; readonly names: readonly string[] } | null;
}

/** A mapping from names that the person chooses to groups. */
export interface RecordNode extends NodeBase {
  readonly kind: "record";
  readonly item: GroupNode;
}

/** A single value. */
export interface FieldNode extends NodeBase {
  readonly kind: "number" | "boolean" | "enum" | "text" | "numbers" | "free";
  /** For "enum": the values. For others: values worth suggesting. */
  readonly values: readonly string[];
  /** The effective value when unset, for "boolean"; null when the schema does not say. */
  readonly fallback: boolean | null;
}

export type FormNode = GroupNode | ChoiceNode | RecordNode | FieldNode;
