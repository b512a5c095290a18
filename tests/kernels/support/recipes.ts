/** Recipes of random programs: plain data, so that fast-check can shrink them. */
import fc from "fast-check";
import type { Dim, Shape } from "../../../src/kernels/index.ts";
import { sym } from "../../../src/kernels/index.ts";

const KINDS = [
  "unary",
  "binary",
  "select",
  "reduce",
  "matmul",
  "transpose",
  "reshape",
  "takeRows",
  "sumRowsAt",
  "join",
  "slice",
  "index",
  "read",
  "write",
  "writeRows",
  "grad",
] as const;

/** Kinds that are tried once more. */
const OFTEN = ["unary", "binary", "binary", "select", "reduce", "reduce", "matmul", "write"] as const;

export interface Instruction {
  readonly kind: (typeof KINDS)[number] | "scan";
  /** Choices of operands and variants. */
  readonly picks: readonly number[];
  readonly body: readonly Instruction[];
}

/** Sizes and instructions of one random program. */
export interface ProgramRecipe {
  readonly binding: { readonly A: number; readonly B: number };
  /** Whether the program has the sizes as numbers, not as symbols: a 1 is then broadcast. */
  readonly literal: boolean;
  /** How many of the states it uses: few meet one another more often. */
  readonly focus: number;
  readonly instructions: readonly Instruction[];
  /** Which values are written to outputs at the end. */
  readonly outputs: readonly number[];
  readonly seed: number;
}

export const MOST_PICK = 1000;
const picks = fc.array(fc.nat(MOST_PICK - 1), { minLength: 6, maxLength: 6 });

const instructionLists = fc.letrec<{ list: Instruction[]; instruction: Instruction }>((tie) => ({
  list: fc.array(tie("instruction"), { minLength: 1, maxLength: 9, size: "max" }),
  instruction: fc.oneof(
    { maxDepth: 3, depthIdentifier: "scan" },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constantFrom(...KINDS, ...OFTEN),
        picks,
        body: fc.constant<Instruction[]>([]),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("scan" as const), picks, body: tie("list") }),
    },
  ),
}));

export const programRecipes: fc.Arbitrary<ProgramRecipe> = fc.record({
  binding: fc.record({ A: fc.integer({ min: 1, max: 5 }), B: fc.integer({ min: 1, max: 9 }) }),
  literal: fc.boolean(),
  focus: fc.integer({ min: 2, max: 9 }),
  instructions: fc.array(instructionLists.instruction, { minLength: 1, maxLength: 22, size: "max" }),
  outputs: fc.array(fc.nat(MOST_PICK - 1), { minLength: 1, maxLength: 5 }),
  seed: fc.nat(99_999),
});

/** The two dimensions that random programs are made of. */
export interface RecipeDims {
  readonly A: Dim;
  readonly B: Dim;
}

export const dimsOf = ({ literal, binding }: ProgramRecipe): RecipeDims =>
  literal ? binding : { A: sym("A"), B: sym("B") };

/** The f32 states of a random program, which hold its inputs. */
export const statesOf = ({ A, B }: RecipeDims): readonly { name: string; shape: Shape }[] => [
  { name: "scalar", shape: [] },
  { name: "rowA", shape: [A] },
  { name: "rowB", shape: [B] },
  { name: "matrix", shape: [A, B] },
  { name: "turned", shape: [B, A] },
  { name: "columnA", shape: [A, 1] },
  { name: "lineB", shape: [1, B] },
  { name: "three", shape: [3, A] },
  { name: "cube", shape: [A, 3, B] },
];
