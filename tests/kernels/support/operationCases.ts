/**
 * Every operation on inputs of every kind of shape, as data: the gradient tests, the device tests and the
 * coverage guard all walk this list.
 */
import type { Dim, DType, Shape, Tensor } from "../../../src/kernels/index.ts";
import * as kernels from "../../../src/kernels/index.ts";

export type Kernels = typeof kernels;

/** Dimensions of a case: symbols, or literal numbers. */
export interface Dims {
  readonly a: Dim;
  readonly b: Dim;
  readonly c: Dim;
}

/**
 * What an input holds. `apart`: no two values close to each other or to 0, so that finite differences do
 * not step over a kink. `index`: i32 below a dimension.
 */
export type Contents =
  | "real"
  | "positive"
  | "apart"
  | "awayFromZero"
  | "i32"
  | "u32"
  | "bool"
  | { readonly below: (d: Dims) => Dim };

export interface InputCase {
  readonly shape: (d: Dims) => Shape;
  readonly contents: Contents;
}

export interface OperationCase {
  readonly name: string;
  readonly inputs: readonly InputCase[];
  readonly build: (k: Kernels, inputs: readonly Tensor[], d: Dims) => readonly Tensor[];
  /** A target must give exactly the reference's values. */
  readonly exact: boolean;
  /** Whether f32 inputs have a gradient to be checked by finite differences. */
  readonly smooth: boolean;
}

export const dtypeOf = (contents: Contents): DType => {
  if (typeof contents === "object") return "i32";
  return contents === "i32" || contents === "u32" || contents === "bool" ? contents : "f32";
};

type ShapeOf = (d: Dims) => Shape;
type Build = (k: Kernels, inputs: readonly Tensor[], d: Dims) => Tensor | readonly Tensor[];

const cases: OperationCase[] = [];

interface CaseOptions {
  readonly exact?: boolean;
  readonly smooth?: boolean;
}

/** A case with its inputs as pairs of shape and contents. */
export function operationCase(
  name: string,
  inputs: readonly (readonly [ShapeOf, Contents])[],
  build: Build,
  { exact = true, smooth = true }: CaseOptions = {},
): OperationCase {
  return {
    name,
    inputs: inputs.map(([shape, contents]) => ({ shape, contents })),
    build: (k, tensors, d) => {
      const made = build(k, tensors, d);
      return made instanceof kernels.Tensor ? [made] : made;
    },
    exact,
    smooth,
  };
}

const add = (...parts: Parameters<typeof operationCase>): void => void cases.push(operationCase(...parts));

const scalar: ShapeOf = () => [];
const A: ShapeOf = ({ a }) => [a];
const B: ShapeOf = ({ b }) => [b];
const AB: ShapeOf = ({ a, b }) => [a, b];
const ABC: ShapeOf = ({ a, b, c }) => [a, b, c];

/** Pairs of shapes that broadcast in every way: equal, leading, trailing, middle, both sides, scalars. */
const PAIRS: readonly (readonly [string, ShapeOf, ShapeOf])[] = [
  ["[a] [a]", A, A],
  ["[a,b,c] [a,b,c]", ABC, ABC],
  ["[a,b] [b]", AB, B],
  ["[b] [a,b]", B, AB],
  ["[a,b] [a,1]", AB, ({ a }) => [a, 1]],
  ["[1,b] [a,b]", ({ b }) => [1, b], AB],
  ["[a,b,c] [a,1,c]", ABC, ({ a, c }) => [a, 1, c]],
  ["[a,b,c] [b,1]", ABC, ({ b }) => [b, 1]],
  ["[a,1,c] [b,1]", ({ a, c }) => [a, 1, c], ({ b }) => [b, 1]],
  ["[a,b,c] [1,b,1]", ABC, ({ b }) => [1, b, 1]],
  ["[a] []", A, scalar],
  ["[] [a,b]", scalar, AB],
  ["[] []", scalar, scalar],
  ["[1] [a,b]", () => [1], AB],
  ["[a,1] [1,b]", ({ a }) => [a, 1], ({ b }) => [1, b]],
];

const two = (inputs: readonly Tensor[]): [Tensor, Tensor] => inputs as [Tensor, Tensor];
const first = (inputs: readonly Tensor[]): Tensor => inputs[0] as Tensor;

const others = new Set<OperationCase>();

/**
 * Two thirds of the cases of operations and pairs of shapes, so that each operation is left with a third of the pairs and
 * each pair with a third of the operations: devices that are slow to compile leave these out.
 */
export const otherPairs: ReadonlySet<OperationCase> = others;

for (const [place, [shapes, s, t]] of PAIRS.entries()) {
  const before = cases.length;
  add(
    `add sub mul ${shapes}`,
    [
      [s, "real"],
      [t, "real"],
    ],
    (k, xs) => [k.add(...two(xs)), k.sub(...two(xs)), k.mul(...two(xs))],
  ); // prettier-ignore
  add(
    `div ${shapes}`,
    [
      [s, "real"],
      [t, "awayFromZero"],
    ],
    (k, xs) => k.div(...two(xs)),
  ); // prettier-ignore
  add(
    `minimum maximum ${shapes}`,
    [
      [s, "apart"],
      [t, "apart"],
    ],
    (k, xs) => [k.minimum(...two(xs)), k.maximum(...two(xs))],
  ); // prettier-ignore
  for (const dtype of ["i32", "u32"] as const) {
    add(
      `${dtype} arithmetic ${shapes}`,
      [
        [s, dtype],
        [t, dtype],
      ],
      (
        k,
        xs, // prettier-ignore
      ) => [k.add, k.sub, k.mul, k.minimum, k.maximum, k.bitAnd, k.bitOr, k.bitXor].map((f) => f(...two(xs))),
    );
  }
  add(
    `comparisons f32 ${shapes}`,
    [
      [s, "real"],
      [t, "real"],
    ],
    comparisons,
  ); // prettier-ignore
  add(
    `comparisons i32 ${shapes}`,
    [
      [s, "i32"],
      [t, "i32"],
    ],
    comparisons,
  ); // prettier-ignore
  add(
    `logic ${shapes}`,
    [
      [s, "bool"],
      [t, "bool"],
    ],
    (k, xs) => [k.and(...two(xs)), k.or(...two(xs)), k.not(first(xs))],
  ); // prettier-ignore
  add(
    `select ${shapes}`,
    [
      [s, "bool"],
      [t, "real"],
      [s, "real"],
    ],
    (k, [condition, x, y]) => k.select(condition as Tensor, x as Tensor, y as Tensor),
  ); // prettier-ignore
  for (const [kind, made] of cases.slice(before).entries()) if ((place + kind) % 3 !== 0) others.add(made);
}

function comparisons(k: Kernels, xs: readonly Tensor[]): Tensor[] {
  const [x, y] = two(xs);
  return [
    ...[k.less, k.lessEqual, k.greater, k.greaterEqual, k.equal].map((compare) => compare(x, y)),
    k.lessEqual(x, x),
    k.greaterEqual(y, y),
    k.equal(x, x),
  ];
}

add("numbers as operands", [[AB, "apart"]], (k, [x]) => {
  const t = x as Tensor;
  return [k.add(t, 2), k.sub(1, t), k.mul(0.5, t), k.div(1, t), k.minimum(t, 0.51), k.maximum(-0.54, t)];
});
add("neg abs", [[ABC, "awayFromZero"]], (k, xs) => [k.neg(first(xs)), k.abs(first(xs))]);
add("sqrt", [[AB, "positive"]], (k, xs) => k.sqrt(first(xs)));
add("square", [[AB, "real"]], (k, xs) => k.square(first(xs)));
add("floor", [[AB, "apart"]], (k, xs) => k.floor(k.mul(first(xs), 1.7)));
add("clip by numbers", [[AB, "apart"]], (k, xs) => k.clip(first(xs), -0.52, 0.73));
add(
  "clip by tensors",
  [
    [AB, "apart"],
    [B, "apart"],
    [scalar, "apart"],
  ],
  (k, [x, low, high]) => k.clip(x as Tensor, low as Tensor, high as Tensor),
); // prettier-ignore
for (const dtype of ["i32", "u32"] as const) {
  add(`shifts ${dtype}`, [[AB, dtype]], (k, xs) =>
    [0, 1, 5, 16, 31].flatMap((by) => [k.shiftLeft(first(xs), by), k.shiftRight(first(xs), by)]),
  );
}

add(
  "select between numbers and tensors",
  [
    [AB, "bool"],
    [B, "real"],
  ],
  (k, xs) => {
    // prettier-ignore
    const [condition, x] = two(xs);
    return [
      k.select(condition, x, 3),
      k.select(condition, -1, x),
      k.select(condition, 1, 0),
      k.select(condition, condition, k.not(condition)),
    ];
  },
);
add(
  "select with a narrow condition",
  [
    [({ b }) => [b], "bool"],
    [ABC, "real"],
    [({ c }) => [c], "real"],
  ],
  (k, [m, x, y], { c }) =>
    k.select(
      k.reshape(m as Tensor, [(m as Tensor).shape[0] as Dim, 1]),
      x as Tensor,
      k.reshape(y as Tensor, [1, c]),
    ),
); // prettier-ignore
add(
  "select of integers",
  [
    [A, "bool"],
    [A, "i32"],
    [A, "i32"],
  ],
  (k, [m, x, y]) => k.select(m as Tensor, x as Tensor, y as Tensor),
); // prettier-ignore

add(
  "cast from f32",
  [[AB, "real"]],
  (k, xs) => [k.cast(k.mul(first(xs), 100), "i32"), k.cast(first(xs), "f32")],
  { smooth: false },
); // prettier-ignore
add("cast from i32", [[AB, "i32"]], (k, xs) => [k.cast(first(xs), "f32"), k.cast(first(xs), "u32")]);
add("cast from u32", [[AB, "u32"]], (k, xs) => [k.cast(first(xs), "f32"), k.cast(first(xs), "i32")]);
add("cast from bool", [[AB, "bool"]], (k, xs) => [
  k.cast(first(xs), "f32"),
  k.cast(first(xs), "i32"),
  k.cast(first(xs), "u32"),
]);
add(
  "reinterpret",
  [
    [AB, "i32"],
    [B, "u32"],
  ],
  (k, xs) => {
    // prettier-ignore
    const [signed, unsigned] = two(xs);
    return [
      k.reinterpret(signed, "u32"),
      k.reinterpret(unsigned, "i32"),
      k.shiftRight(k.reinterpret(signed, "u32"), 3),
    ];
  },
);
add(
  "reinterpret of numbers",
  [
    [AB, "real"],
    [({ a }) => [a, 3], "u32"],
  ],
  (k, xs) => {
    const [x, words] = two(xs);
    // Exponents of 1 .. 2: any bits might be no number.
    const numbers = k.reinterpret(k.bitXor(k.shiftRight(words, 9), k.constant(0x3f800000, "u32")), "f32");
    const row = k.concat([words, k.reinterpret(k.mul(x, -2), "u32")]);
    const back = k.reinterpret(k.slice(row, 3, x.shape[1] as Dim), "f32");
    return [
      k.reinterpret(x, "i32"),
      k.shiftRight(k.reinterpret(k.add(x, 1), "u32"), 3),
      k.mul(numbers, -4),
      k.add(back, x),
    ];
  },
  { smooth: false },
); // prettier-ignore

for (const [name, from, to] of [
  ["[] to [a,b]", scalar, AB],
  ["[b] to [a,b]", B, AB],
  ["[a,1] to [a,b]", ({ a }: Dims) => [a, 1], AB],
  ["[a,1,c] to [a,b,c]", ({ a, c }: Dims) => [a, 1, c], ABC],
  ["[a,b] to [a,b]", AB, AB],
] as const)
  add(`broadcastTo ${name}`, [[from, "real"]], (k, xs, d) => k.broadcastTo(first(xs), to(d)));

for (const [shape, of, rank] of [
  ["[a]", A, 1],
  ["[a,b]", AB, 2],
  ["[a,b,c]", ABC, 3],
  ["[a,1]", ({ a }: Dims) => [a, 1], 2],
  ["[1,b]", ({ b }: Dims) => [1, b], 2],
  ["[a,b,1]", ({ a, b }: Dims) => [a, b, 1], 3],
  ["[a,1,c]", ({ a, c }: Dims) => [a, 1, c], 3],
  ["[a,b,c,2]", ({ a, b, c }: Dims) => [a, b, c, 2], 4],
] as const) {
  for (let axis = 0; axis < rank; axis++) {
    add(
      `sum and mean over axis ${axis} of ${shape}`,
      [[of, "real"]],
      (k, xs) => [k.sum(first(xs), axis), k.sum(first(xs), axis - rank, true), k.mean(first(xs), axis)],
      { exact: false },
    );
    add(`max over axis ${axis} of ${shape}`, [[of, "apart"]], (k, xs) => [
      k.max(first(xs), axis),
      k.max(first(xs), axis, true),
    ]);
  }
}
add(
  "sum of a chain over each axis",
  [
    [ABC, "real"],
    [({ c }) => [c], "real"],
    [({ a }) => [a, 1, 1], "real"],
  ],
  (k, [x, y, z]) => {
    // prettier-ignore
    const chain = k.mul(k.add(x as Tensor, y as Tensor), z as Tensor);
    return [k.sum(chain, 0), k.sum(k.square(chain), 1), k.sum(k.mul(chain, chain), 2)];
  },
  { exact: false },
);
add(
  "sum of a chain whose operands span a class of axes in part",
  [
    [({ a, b, c }) => [a, b, c, 2], "real"],
    [({ b }) => [b, 1, 1], "real"],
  ],
  (k, xs) => {
    // prettier-ignore
    const chain = k.mul(...two(xs));
    return [k.sum(chain, 2), k.sum(k.mul(chain, 2), 0)];
  },
  { exact: false },
);
for (const columns of [15, 16, 37, 64])
  add(
    `chains with exponentials over rows of ${columns}, stored, summed and with their maximum`,
    [
      [({ a }) => [a, columns], "real"],
      [() => [columns], "real"],
    ],
    (k, xs) => {
      const chain = k.exp(k.minimum(k.add(...two(xs)), 1));
      return [chain, k.sum(chain, 1), k.max(k.tanh(first(xs)), 1)];
    },
    { exact: false },
  );
add("default axes", [[AB, "apart"]], (k, xs) => [k.sum(first(xs)), k.mean(first(xs)), k.max(first(xs))], {
  exact: false,
}); // prettier-ignore
for (const [name, of] of [
  ["[]", scalar],
  ["[a]", A],
  ["[a,b,c]", ABC],
] as const) {
  add(`sumAll meanAll of ${name}`, [[of, "real"]], (k, xs) => [k.sumAll(first(xs)), k.meanAll(first(xs))], {
    exact: false,
  }); // prettier-ignore
  add(`maxAll of ${name}`, [[of, "apart"]], (k, xs) => k.maxAll(first(xs)));
}

const close: CaseOptions = { exact: false };
const shape2 =
  (rows: keyof Dims, columns: keyof Dims): ShapeOf =>
  (d) => [d[rows], d[columns]];
add(
  "matmul",
  [
    [AB, "real"],
    [shape2("b", "c"), "real"],
  ],
  (k, xs) => k.matmul(...two(xs)),
  close,
); // prettier-ignore
add(
  "matmul with bias",
  [
    [AB, "real"],
    [shape2("b", "c"), "real"],
    [({ c }) => [c], "real"],
  ],
  (k, [x, y, bias]) => k.matmul(x as Tensor, y as Tensor, { bias: bias as Tensor }),
  close,
); // prettier-ignore
add(
  "matmul transposeA",
  [
    [shape2("b", "a"), "real"],
    [shape2("b", "c"), "real"],
    [({ c }) => [c], "real"],
  ],
  (k, [x, y, bias]) => [
    k.matmul(x as Tensor, y as Tensor, { transposeA: true }),
    k.matmul(x as Tensor, y as Tensor, { transposeA: true, bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add(
  "matmul transposeB",
  [
    [AB, "real"],
    [shape2("c", "b"), "real"],
    [({ c }) => [c], "real"],
  ],
  (k, [x, y, bias]) => [
    k.matmul(x as Tensor, y as Tensor, { transposeB: true }),
    k.matmul(x as Tensor, y as Tensor, { transposeB: true, bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add(
  "matmul of folded rows",
  [
    [({ a, b, c }) => [a, 2, b, c], "real"],
    [({ c }) => [c, 3], "real"],
  ],
  (k, xs) => k.matmul(...two(xs)),
  close,
); // prettier-ignore
add("matmul with itself", [[() => [7, 7], "real"]], (k, xs) => k.matmul(first(xs), first(xs)), close);
const shape3 =
  (count: keyof Dims, rows: keyof Dims, columns: keyof Dims): ShapeOf =>
  (d) => [d[count], d[rows], d[columns]];
for (const [name, left, right, options] of [
  ["batchMatmul", ABC, shape3("a", "c", "b"), {}],
  ["batchMatmul transposeA", shape3("a", "c", "b"), shape3("a", "c", "b"), { transposeA: true }],
  ["batchMatmul transposeB", ABC, ABC, { transposeB: true }],
] as const)
  add(
    name,
    [
      [left, "real"],
      [right, "real"],
    ],
    (k, xs) => k.batchMatmul(...two(xs), options),
    close,
  );
add(
  "batchMatmul of few long matrices, and of a stack with itself",
  [
    [({ b }) => [2, b, 5], "real"],
    [({ a }) => [2, 5, a], "real"],
    [() => [3, 4, 4], "real"],
  ],
  (k, [x, y, squares]) => [
    k.batchMatmul(x as Tensor, y as Tensor),
    k.batchMatmul(squares as Tensor, squares as Tensor, { transposeB: true }),
  ],
  close,
);
add("transpose", [[AB, "real"]], (k, xs) => k.transpose(first(xs)));
add("transpose i32", [[AB, "i32"]], (k, xs) => k.transpose(first(xs)));
for (const [name, of, orders] of [
  ["[a]", A, [[0]]],
  ["[a,b]", AB, [[1, 0]]],
  [
    "[a,b,c]",
    ABC,
    [
      [0, 2, 1],
      [1, 0, 2],
      [2, 0, 1],
      [2, 1, 0],
    ],
  ],
  [
    "[a,2,b,c]",
    ({ a, b, c }: Dims) => [a, 2, b, c],
    [
      [0, 2, 1, 3],
      [3, 1, 2, 0],
      [1, 0, 3, 2],
    ],
  ],
  [
    "[a,1,b,3,1]",
    ({ a, b }: Dims) => [a, 1, b, 3, 1],
    [
      [4, 0, 3, 1, 2],
      [0, 2, 1, 4, 3],
    ],
  ],
] as const)
  add(`permute ${name}`, [[of, "real"]], (k, xs) => orders.map((order) => k.permute(first(xs), order)));
add(
  "permute of integers and truth values",
  [
    [ABC, "i32"],
    [ABC, "bool"],
  ],
  (k, [x, mask]) => [k.permute(x as Tensor, [1, 0, 2]), k.permute(mask as Tensor, [2, 0, 1])],
);
add("reshape", [[ABC, "real"]], (k, xs, { a, b, c }) => [
  k.reshape(first(xs), [k.mulDims(a, b), c]),
  k.reshape(first(xs), [c, b, a, 1]),
  k.neg(k.reshape(first(xs), [k.mulDims(a, b, c)])),
]);
add("stopGradient", [[AB, "real"]], (k, xs) => k.stopGradient(first(xs)), { smooth: false });

for (const [name, spatial, size, stride] of [
  ["a line", [5], [3], [1]],
  ["overlapping", [6, 5], [3, 2], [1, 1]],
  ["strided, with a rest", [6, 7], [3, 2], [2, 3]],
  ["with gaps", [5, 5], [1, 2], [3, 3]],
  ["as large as the image", [3, 4], [3, 4], [1, 1]],
  ["a volume", [3, 4, 3], [2, 3, 1], [1, 1, 2]],
] as const) {
  add(`patches ${name}`, [[({ a, c }) => [a, ...spatial, c], "real"]], (k, xs) => {
    const windows = k.patches(first(xs), { size, stride });
    return [windows, k.mul(windows, windows)];
  }); // prettier-ignore
}

const belowA: Contents = { below: ({ a }) => a };
for (const bytes of [1, 2, 3, 4, 5, 15, 16, 17, 23, 64]) {
  add(
    `packBytes unpackBytes of rows of ${bytes}`,
    [[({ a, b }) => [a, b, bytes], "real"]],
    (k, xs) => {
      const packed = k.packBytes(k.mul(k.add(first(xs), 2), 63.7));
      return [packed, k.unpackBytes(packed, bytes), k.packBytes(k.mul(first(xs), 1e6))];
    },
    { smooth: false },
  ); // prettier-ignore
}
/** Words without halves that are infinite or not numbers. */
const halves = (k: Kernels, words: Tensor | undefined): Tensor => k.bitAnd(words as Tensor, 0xbfff_bfff);
add("unpackHalves", [[({ a }) => [a, 6], "u32"]], (k, xs) => k.unpackHalves(halves(k, xs[0])), close);
add(
  "halvesMatmul",
  [
    [AB, "real"],
    [({ b }) => [b, 6], "u32"],
    [() => [12], "real"],
  ],
  (k, [x, words, bias]) => [
    k.halvesMatmul(x as Tensor, halves(k, words)),
    k.halvesMatmul(x as Tensor, halves(k, words), { bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add(
  "halvesMatmul transposeB",
  [
    [({ a }) => [a, 12], "real"],
    [({ c }) => [c, 6], "u32"],
    [({ c }) => [c], "real"],
  ],
  (k, [x, words, bias]) => [
    k.halvesMatmul(x as Tensor, halves(k, words), { transposeB: true }),
    k.halvesMatmul(x as Tensor, halves(k, words), { transposeB: true, bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add("unpackInt8", [[({ a }) => [a, 3], "u32"]], (k, xs) => k.unpackInt8(first(xs)));
add(
  "int8Matmul",
  [
    [AB, "real"],
    [({ b }) => [b, 3], "u32"],
    [() => [12], "real"],
  ],
  (k, [x, words, bias]) => [
    k.int8Matmul(x as Tensor, words as Tensor),
    k.int8Matmul(x as Tensor, words as Tensor, { bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add(
  "int8Matmul transposeB",
  [
    [({ a }) => [a, 12], "real"],
    [({ c }) => [c, 3], "u32"],
    [({ c }) => [c], "real"],
  ],
  (k, [x, words, bias]) => [
    k.int8Matmul(x as Tensor, words as Tensor, { transposeB: true }),
    k.int8Matmul(x as Tensor, words as Tensor, { transposeB: true, bias: bias as Tensor }),
  ],
  close,
); // prettier-ignore
add("unpackBytes of any words", [[({ a }) => [a, 3], "u32"]], (k, xs) => [
  k.unpackBytes(first(xs), 12),
  k.unpackBytes(first(xs), 9),
]);
add(
  "bytes in rows of a state",
  [
    [({ a }) => [a, 2], "u32"],
    [({ c }) => [c], belowA],
    [({ c }) => [c, 2], "u32"],
  ],
  (k, [x, index, rows], { a }) => {
    const memory = k.state("memory", [a, 2], { dtype: "u32" });
    memory.write(x as Tensor);
    memory.writeRows(index as Tensor, rows as Tensor);
    return k.unpackBytes(k.takeRows(memory.read(), index as Tensor), 7);
  },
  { smooth: false },
); // prettier-ignore

for (const [name, of] of [
  ["[a]", A],
  ["[a,b]", AB],
  ["[a,b,c]", ABC],
] as const) {
  add(
    `takeRows of ${name}`,
    [
      [of, "real"],
      [({ c }) => [c], belowA],
    ],
    (k, xs) => k.takeRows(...two(xs)),
  ); // prettier-ignore
  add(`cumulativeSum of ${name}`, [[of, "real"]], (k, xs) => [
    k.cumulativeSum(first(xs)),
    k.cumulativeSum(k.mul(first(xs), first(xs)), true),
  ]);
  add(`argmax of ${name}`, [[of, "real"]], (k, xs) => k.argmax(first(xs)));
  // Short rows lose digits by cancellation in their gradient, whoever computes it.
  add(
    `standardize ${name}`,
    [[(d) => [...of(d).slice(0, -1), kernels.addDims(d.c, 5)], "real"]],
    (k, xs) => k.standardize(first(xs)),
    close,
  ); // prettier-ignore
  add(
    `layerNorm with other epsilons ${name}`,
    [
      [(d) => [...of(d).slice(0, -1), kernels.addDims(d.c, 5)], "real"],
      [({ c }) => [kernels.addDims(c, 5)], "real"],
    ],
    (k, [x, weight]) => [
      k.layerNorm(x as Tensor, weight as Tensor, undefined, { epsilon: 0.5 }),
      k.layerNorm(k.mul(x as Tensor, 1e-3), undefined, weight as Tensor, { epsilon: 1e-6 }),
    ],
    close,
  );
  add(`standardize short rows ${name}`, [[of, "apart"]], (k, xs) => k.standardize(first(xs)), {
    exact: false,
    smooth: false,
  }); // prettier-ignore
  for (const f of ["exp", "sin", "cos", "tanh"] as const)
    add(`${f} of ${name}`, [[of, "real"]], (k, xs) => k[f](first(xs)), close);
  add(`log of ${name}`, [[of, "positive"]], (k, xs) => k.log(first(xs)), close);
  add(`iota dimValue permutation ${name}`, [[scalar, "u32"]], (k, xs, d) => {
    const n = k.sizeOf(of(d));
    return [k.iota(n), k.iota(n, "u32"), k.dimValue(n), k.dimValue(n, "i32"), k.permutation(n, first(xs))];
  });
  add(`constants ${name}`, [], (k, _xs, d) => [
    k.constant(0.1, "f32", of(d)),
    k.constant(-7, "i32", of(d)),
    k.constant(4_000_000_000, "u32", of(d)),
    k.constant(1, "bool", of(d)),
    k.zeros(of(d)),
    k.ones(of(d), "u32"),
    k.zeros(of(d), "bool"),
  ]);
}
add(
  "takeRows of integers",
  [
    [AB, "i32"],
    [({ c }) => [c], belowA],
  ],
  (k, xs) => k.takeRows(...two(xs)),
); // prettier-ignore
add(
  "sumRowsAt [c]",
  [
    [({ c }) => [c], "real"],
    [({ c }) => [c], belowA],
  ],
  (k, [x, at], { a }) => k.sumRowsAt(x as Tensor, at as Tensor, a),
  close,
); // prettier-ignore
add(
  "sumRowsAt [c,b]",
  [
    [shape2("c", "b"), "real"],
    [({ c }) => [c], belowA],
  ],
  (k, [x, at], { a }) => k.sumRowsAt(x as Tensor, at as Tensor, a),
  close,
); // prettier-ignore
add(
  "concat of vectors",
  [
    [A, "real"],
    [B, "real"],
    [() => [1], "real"],
  ],
  (k, xs) => k.concat(xs),
); // prettier-ignore
add(
  "concat of matrices",
  [
    [AB, "real"],
    [shape2("a", "c"), "real"],
    [AB, "real"],
  ],
  (k, xs) => k.concat(xs),
); // prettier-ignore
add(
  "concat of one, of cubes, of integers",
  [
    [ABC, "real"],
    [ABC, "real"],
    [AB, "i32"],
  ],
  (k, [x, y, n]) => [
    k.concat([x as Tensor]),
    k.concat([x as Tensor, y as Tensor]),
    k.concat([n as Tensor, n as Tensor]),
  ],
); // prettier-ignore
add("concat of a value with itself", [[AB, "real"]], (k, xs) => k.concat([first(xs), first(xs)]));
add(
  "stackColumns",
  [
    [A, "real"],
    [A, "real"],
    [A, "real"],
  ],
  (k, xs) => k.stackColumns(xs),
); // prettier-ignore
add("slice", [[({ a, b, c }) => [a, kernels.addDims(b, c, 2)], "real"]], (k, xs, { b, c }) => [
  k.slice(first(xs), 0, b),
  k.slice(first(xs), b, c),
  k.slice(first(xs), k.addDims(b, 1), k.addDims(c, 1)),
  k.slice(first(xs), 0, k.addDims(b, c, 2)),
  k.slice(first(xs), 1, 2),
]);
add(
  "slice of a vector and a cube",
  [
    [({ b, c }) => [kernels.addDims(b, c)], "real"],
    [ABC, "real"],
  ],
  (k, [x, y], { b, c }) => [k.slice(x as Tensor, b, c), k.slice(y as Tensor, k.subDims(c, 1), 1)],
); // prettier-ignore
add(
  "slices side by side, apart and overlapping",
  [[({ a, b, c }) => [a, kernels.addDims(b, c, 3)], "real"]],
  (k, xs, { b, c }) => {
    const x = first(xs);
    const [left, middle, right] = [k.slice(x, 0, b), k.slice(x, b, c), k.slice(x, k.addDims(b, c), 3)];
    return [
      k.concat([k.mul(right, 2), k.mul(left, 3), k.mul(middle, middle)]),
      k.mul(k.slice(x, 0, 1), k.slice(x, 2, 1)),
      k.square(k.slice(x, 1, 2)),
    ];
  },
);
add("column", [[({ a, b }) => [a, b, 3], "real"]], (k, xs) => [0, 1, 2].map((i) => k.column(first(xs), i)));
add("column of integers", [[({ a }) => [a, 2], "i32"]], (k, xs) => [0, 1].map((i) => k.column(first(xs), i)));

add(
  "scan",
  [
    [B, "real"],
    [AB, "real"],
    [B, "real"],
  ],
  (k, [c, xs, w], { a }) => {
    // prettier-ignore
    const { carry, ys } = k.scan({ count: a, carry: [c as Tensor], xs: [xs as Tensor] }, ([h], [x]) => {
      const next = k.tanh(k.add(k.mul(h as Tensor, w as Tensor), x as Tensor));
      return { carry: [next], ys: [k.sum(k.mul(next, h as Tensor))] };
    });
    return [...carry, ...ys];
  },
  close,
);
add(
  "state rows",
  [
    [AB, "real"],
    [({ c }) => [c], belowA],
    [shape2("c", "b"), "real"],
  ],
  (k, [x, index, rows], { a, b }) => {
    // prettier-ignore
    const kept = k.state("kept", [a, b]);
    kept.write(x as Tensor);
    kept.writeRows(index as Tensor, rows as Tensor);
    return [k.mul(kept.read(), 2)];
  },
  { smooth: false },
);

export const operationCases: readonly OperationCase[] = cases;
