/** Encoder of WebAssembly modules: sections, functions and the instructions the target uses. */

import { SCALAR, type Scalar, SIMD, type Simd } from "./instructions.ts";

export type ValueType = "i32" | "f32" | "v128";

const TYPE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

/** Most encoded numbers are small: they share these. */
const ONE_BYTE = Array.from({ length: 0x80 }, (_, value): readonly number[] => [value]);

/** Unsigned LEB128. */
export function leb(value: number): readonly number[] {
  const known = ONE_BYTE[value];
  if (known) return known;
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128 of a 32-bit integer. */
export function sleb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

const oneF32 = new Float32Array(1);
const bytesOfF32 = new Uint8Array(oneF32.buffer);

const fourI32 = new Int32Array(4);
const bytesOfI32 = new Uint8Array(fourI32.buffer);

/** The bytes of an f32: valid until the next call. */
function f32Bytes(value: number): Uint8Array {
  oneF32[0] = value;
  return bytesOfF32;
}

/** A tuple of N numbers; a list if N is not known. */
type Indices<N extends number> = number extends N ? number[] : Tuple<N>;
type Tuple<N extends number, T extends number[] = []> = T["length"] extends N ? T : Tuple<N, [...T, number]>;

/** The body of one function, written instruction by instruction. */
export class FunctionBody {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly bytes: number[] = [];
  readonly locals: ValueType[] = [];

  constructor(params: readonly ValueType[], results: readonly ValueType[] = []) {
    this.params = params;
    this.results = results;
  }

  /** Declares a local and returns its index. */
  local(type: ValueType): number {
    this.locals.push(type);
    return this.params.length + this.locals.length - 1;
  }

  /** Declares several i32 locals at once. */
  i32s<N extends number>(count: N): Indices<N> {
    return Array.from({ length: count }, () => this.local("i32")) as Indices<N>;
  }

  /** Declares several v128 locals at once. */
  v128s<N extends number>(count: N): Indices<N> {
    return Array.from({ length: count }, () => this.local("v128")) as Indices<N>;
  }

  /** Adds a number to an i32 local. */
  advance(local: number, by: number): this {
    return this.get(local).i32(by).op("i32.add").set(local);
  }

  /** Adds one i32 local to another. */
  advanceBy(local: number, by: number): this {
    return this.sum(local, by).set(local);
  }

  /** The sum of two i32 locals. */
  sum(a: number, b: number): this {
    return this.get(a).get(b).op("i32.add");
  }

  /** The bytes of as many words as an i32 local holds. */
  bytesOf(words: number): this {
    return this.get(words).i32(2).op("i32.shl");
  }

  /** The address so many words after `base`; both are locals. */
  wordAfter(base: number, words: number): this {
    return this.get(base).bytesOf(words).op("i32.add");
  }

  /** Loads a vector into a local. */
  load(to: number, pointer: number, offset = 0): this {
    return this.get(pointer).v128Load(offset).set(to);
  }

  /** Loads one word into all lanes of a local. */
  splat(to: number, pointer: number, offset = 0): this {
    return this.get(pointer).v128LoadSplat(offset).set(to);
  }

  /** Stores a local's vector. */
  store(pointer: number, value: number, offset = 0): this {
    return this.get(pointer).get(value).v128Store(offset);
  }

  simd(name: Simd): this {
    this.bytes.push(0xfd, ...leb(SIMD[name]));
    return this;
  }

  op(name: Scalar): this {
    this.bytes.push(SCALAR[name]);
    return this;
  }

  get(local: number): this {
    this.bytes.push(0x20, ...leb(local));
    return this;
  }

  set(local: number): this {
    this.bytes.push(0x21, ...leb(local));
    return this;
  }

  tee(local: number): this {
    this.bytes.push(0x22, ...leb(local));
    return this;
  }

  i32(value: number): this {
    this.bytes.push(0x41, ...sleb(value));
    return this;
  }

  f32(value: number): this {
    this.bytes.push(0x43, ...f32Bytes(value));
    return this;
  }

  /** v128.const of four equal f32 lanes. */
  f32x4(value: number): this {
    const lane = f32Bytes(value);
    this.bytes.push(0xfd, 0x0c, ...lane, ...lane, ...lane, ...lane);
    return this;
  }

  /** v128.const of i32 lanes; one value fills all four. */
  i32x4(...values: readonly number[]): this {
    if (values.length === 1) fourI32.fill(values[0] as number);
    else fourI32.set(values);
    this.bytes.push(0xfd, 0x0c, ...bytesOfI32);
    return this;
  }

  i32Load(offset = 0): this {
    this.bytes.push(0x28, 2, ...leb(offset));
    return this;
  }

  i32Store(offset = 0): this {
    this.bytes.push(0x36, 2, ...leb(offset));
    return this;
  }

  f32Load(offset = 0): this {
    this.bytes.push(0x2a, 2, ...leb(offset));
    return this;
  }

  f32Store(offset = 0): this {
    this.bytes.push(0x38, 2, ...leb(offset));
    return this;
  }

  v128Load(offset = 0): this {
    this.bytes.push(0xfd, 0x00, 2, ...leb(offset));
    return this;
  }

  /** v128.load16x4_s: four integers of 16 bits, extended to lanes with their signs. */
  v128LoadHalves(offset = 0): this {
    this.bytes.push(0xfd, 0x03, 3, ...leb(offset));
    return this;
  }

  /** v128.load32_zero: a word into the first lane. */
  v128LoadWord(offset = 0): this {
    this.bytes.push(0xfd, 0x5c, 2, ...leb(offset));
    return this;
  }

  v128LoadSplat(offset = 0): this {
    this.bytes.push(0xfd, 0x09, 2, ...leb(offset));
    return this;
  }

  v128Store(offset = 0): this {
    this.bytes.push(0xfd, 0x0b, 2, ...leb(offset));
    return this;
  }

  /** Stores one 32-bit lane. */
  v128Store32Lane(lane: number, offset = 0): this {
    this.bytes.push(0xfd, 0x5a, 2, ...leb(offset), lane);
    return this;
  }

  /** Stores one 64-bit lane (two values). */
  v128Store64Lane(lane: number, offset = 0): this {
    this.bytes.push(0xfd, 0x5b, 2, ...leb(offset), lane);
    return this;
  }

  f32x4Extract(lane: number): this {
    this.bytes.push(0xfd, 0x1f, lane);
    return this;
  }

  i32x4Extract(lane: number): this {
    this.bytes.push(0xfd, 0x1b, lane);
    return this;
  }

  /** Selects lanes from two vectors, in units of 32 bits (0..3 first, 4..7 second). */
  shuffle32(a: number, b: number, c: number, d: number): this {
    this.bytes.push(
      0xfd,
      0x0d,
      ...[a, b, c, d].flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
    );
    return this;
  }

  call(func: number): this {
    this.bytes.push(0x10, ...leb(func));
    return this;
  }

  /** Converts the i32 on the stack to f32. */
  i32ToF32(): this {
    this.bytes.push(0xb2);
    return this;
  }

  block(body: () => void): this {
    this.bytes.push(0x02, 0x40);
    body();
    this.bytes.push(0x0b);
    return this;
  }

  loop(body: () => void): this {
    this.bytes.push(0x03, 0x40);
    body();
    this.bytes.push(0x0b);
    return this;
  }

  /** Pops the condition from the stack. */
  if(then: () => void, otherwise?: () => void): this {
    this.bytes.push(0x04, 0x40);
    then();
    if (otherwise) {
      this.bytes.push(0x05);
      otherwise();
    }
    this.bytes.push(0x0b);
    return this;
  }

  br(depth: number): this {
    this.bytes.push(0x0c, ...leb(depth));
    return this;
  }

  brIf(depth: number): this {
    this.bytes.push(0x0d, ...leb(depth));
    return this;
  }

  memoryCopy(): this {
    this.bytes.push(0xfc, 0x0a, 0, 0);
    return this;
  }

  /** Encoded locals and instructions: equal bodies have equal bytes. */
  encode(): Uint8Array {
    const runs: { type: ValueType; count: number }[] = [];
    for (const type of this.locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    const locals = runs.flatMap((run) => [...leb(run.count), TYPE[run.type]]);
    return joined([leb(runs.length), locals, this.bytes, [0x0b]]);
  }
}

type Bytes = Uint8Array | readonly number[];

function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const section = (id: number, ...content: readonly Bytes[]): Bytes => {
  const bytes = joined(content);
  return joined([[id], leb(bytes.length), bytes]);
};
const vector = (items: readonly Bytes[]): Bytes => joined([leb(items.length), ...items]);
const text = (value: string): Bytes => {
  const bytes = new TextEncoder().encode(value);
  return joined([leb(bytes.length), bytes]);
};

/** Decodes each byte as one character: the result is a key for finding equal code. */
const oneByteEach = new TextDecoder("latin1");

/** Longer names are truncated; they are only used in profiles. */
const LONGEST_NAME = 80;

/** A module that imports one memory (`env.memory`) and exports some of its functions. */
export class ModuleBuilder {
  readonly #types: string[] = [];
  readonly #typeBytes: number[][] = [];
  readonly #functions: { type: number; code: Uint8Array; name: string }[] = [];
  readonly #byCode = new Map<string, number>();
  readonly #byBody = new Map<FunctionBody, number>();
  readonly #exports: { name: string; index: number }[] = [];

  /** Adds a function, unless an equal one exists, and returns its index. Profilers show its `name`. */
  add(body: FunctionBody, name: string): number {
    const before = this.#byBody.get(body);
    if (before !== undefined) return before;
    const type = this.#typeOf(body);
    const code = body.encode();
    const key = `${type}:${oneByteEach.decode(code)}`;
    const index = this.#byCode.get(key) ?? this.#functions.push({ type, code, name }) - 1;
    this.#byCode.set(key, index);
    this.#byBody.set(body, index);
    return index;
  }

  export(name: string, index: number): void {
    this.#exports.push({ name, index });
  }

  get functionNames(): string[] {
    return this.#functions.map(({ name }) => name);
  }

  #typeOf(body: FunctionBody): number {
    const key = `${body.params}->${body.results}`;
    const known = this.#types.indexOf(key);
    if (known >= 0) return known;
    this.#types.push(key);
    const list = (types: readonly ValueType[]) => [...leb(types.length), ...types.map((t) => TYPE[t])];
    this.#typeBytes.push([0x60, ...list(body.params), ...list(body.results)]);
    return this.#types.length - 1;
  }

  /** @param memory Limits of the memory that the module imports (default: at least a page). */
  build(memory: readonly number[] = [0, 1]): Uint8Array<ArrayBuffer> {
    const names = this.#functions.map((f, index) =>
      joined([leb(index), text(f.name.slice(0, LONGEST_NAME))]),
    );
    const namesOfFunctions = vector(names);
    return joined([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, vector(this.#typeBytes)),
      section(2, [1], text("env"), text("memory"), [2, ...memory]),
      section(3, vector(this.#functions.map((f) => leb(f.type)))),
      section(7, vector(this.#exports.map((e) => joined([text(e.name), [0], leb(e.index)])))),
      section(10, vector(this.#functions.map((f) => joined([leb(f.code.length), f.code])))),
      section(0, text("name"), [1], leb(namesOfFunctions.length), namesOfFunctions),
    ]);
  }
}
