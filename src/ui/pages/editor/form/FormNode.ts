/** Properties common to all form nodes. */
export interface NodeBase {
  /** The key in the manifest, also used as the label. */
  readonly key: string;
  /** Alternative names of the key in the text. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly required: boolean;
  /** Whether null is a valid value. */
  readonly nullable: boolean;
  /** Whether the node is collapsed by default. */
  readonly advanced: boolean;
  /** False if the value is only preserved and has no effect here. */
  readonly effect: boolean;
  readonly unit: string | null;
  /** The default as text; null if the schema does not state one. */
  readonly unset: string | null;
}

export interface GroupNode extends NodeBase {
  readonly kind: "group";
  readonly children: readonly FormNode[];
}

/** A choice among several groups. */
export interface ChoiceNode extends NodeBase {
  readonly kind: "choice";
  readonly options: readonly GroupNode[];
  /**
   * The key whose value names the option, and the names in the order of `options`; null if the content
   * determines the option.
   */
  readonly tag: { readonly key: string; readonly names: readonly string[] } | null;
}

/** A mapping from user-chosen names to groups. */
export interface RecordNode extends NodeBase {
  readonly kind: "record";
  readonly item: GroupNode;
}

/** A single value. */
export interface FieldNode extends NodeBase {
  readonly kind: "number" | "boolean" | "enum" | "text" | "numbers" | "free";
  /** The allowed values of an "enum"; empty for other kinds. */
  readonly values: readonly string[];
  /** The default of a "boolean"; null if the schema does not state one. */
  readonly fallback: boolean | null;
}

export type FormNode = GroupNode | ChoiceNode | RecordNode | FieldNode;
