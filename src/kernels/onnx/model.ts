/** ONNX models as plain data, and their file format (onnx.proto of ONNX 1.13, with its field numbers). */

/** Protocol buffers' wire format, as far as ONNX files need it (protobuf.dev, "Encoding"). */

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Seven bits per byte, lowest first; the high bit means that more follow. Negative numbers take 64 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** One message, field by field. Fields that repeat are written once for each value. */
export class ProtobufMessage {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** An integer, bool or enum; safe integers only. */
  integer(field: number, value: number): this {
    return this.#tag(field, VARINT).#push(varint(value));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, LENGTH_DELIMITED).#push(varint(value.length)).#push(value);
  }

  message(field: number, value: ProtobufMessage): this {
    this.#tag(field, LENGTH_DELIMITED).#push(varint(value.#length));
    for (const part of value.#parts) this.#push(part);
    return this;
  }

  /** The message's bytes, without its own length. */
  encode(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  #tag(field: number, wireType: number): this {
    return this.#push(varint(field * 8 + wireType));
  }

  #push(part: Uint8Array): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

/** Element types, by their numbers in TensorProto.DataType. */
export const ELEMENT_TYPES = { f32: 1, i32: 6, i64: 7, bool: 9 } as const;
export type OnnxType = keyof typeof ELEMENT_TYPES;

/** Attributes of the operators in use are all integers, or lists of them. */
export type OnnxAttributes = Readonly<Record<string, number | readonly number[]>>;

export interface OnnxNode {
  readonly operator: string;
  /** Names of values. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: OnnxAttributes;
}

/** Values in a file beside the model's, little-endian. A model's own file must stay below 2 GB. */
export interface OutsideValues {
  readonly file: string;
  /** Bytes before the values. */
  readonly offset: number;
}

export type ConstantValues = ArrayLike<number> | OutsideValues;

/** A tensor whose values are stored with the model. */
export interface OnnxConstant {
  readonly name: string;
  readonly type: OnnxType;
  readonly shape: readonly number[];
  readonly values: ConstantValues;
}

/** An input or output; a string in the shape names a size that is known only when the model runs. */
export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxType;
  readonly shape: readonly (number | string)[];
}

export interface OnnxModel {
  readonly name: string;
  /** Version of the library that made it. */
  readonly version: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly constants: readonly OnnxConstant[];
  /** Every node follows those whose values it reads. */
  readonly nodes: readonly OnnxNode[];
}

/** ONNX 1.13: reductions take their axes as an input; read by onnxruntime 1.14 and newer. */
const OPERATOR_SET = 18;
const FORMAT_VERSION = 8;

const ATTRIBUTE_TYPES = { integer: 2, integers: 7 } as const;

const WIDTHS = { f32: 4, i32: 4, i64: 8, bool: 1 } as const;

/** Little-endian values, as in `raw_data`. */
function rawData(type: OnnxType, values: ArrayLike<number>): Uint8Array {
  const width = WIDTHS[type];
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (type === "f32") view.setFloat32(4 * i, value, true);
    else if (type === "i32") view.setInt32(4 * i, value, true);
    else if (type === "i64") view.setBigInt64(8 * i, BigInt(value), true);
    else bytes[i] = value === 0 ? 0 : 1;
  }
  return bytes;
}

/** TensorProto.DataLocation. */
const EXTERNAL = 1;

function tensor({ name, type, shape, values }: OnnxConstant): ProtobufMessage {
  const message = new ProtobufMessage();
  for (const size of shape) message.integer(1, size);
  message.integer(2, ELEMENT_TYPES[type]).text(8, name);
  if (!("file" in values)) return message.bytes(9, rawData(type, values));
  const length = shape.reduce((a, b) => a * b, WIDTHS[type]);
  for (const [key, value] of Object.entries({ location: values.file, offset: values.offset, length }))
    message.message(13, new ProtobufMessage().text(1, key).text(2, `${value}`));
  return message.integer(14, EXTERNAL);
}

function attribute(name: string, value: number | readonly number[]): ProtobufMessage {
  const message = new ProtobufMessage().text(1, name);
  if (typeof value === "number") return message.integer(3, value).integer(20, ATTRIBUTE_TYPES.integer);
  for (const item of value) message.integer(8, item);
  return message.integer(20, ATTRIBUTE_TYPES.integers);
}

function node({ operator, inputs, output, attributes }: OnnxNode): ProtobufMessage {
  const message = new ProtobufMessage();
  for (const input of inputs) message.text(1, input);
  // A node is named after the value that it computes.
  message.text(2, output).text(3, output).text(4, operator);
  for (const [name, value] of Object.entries(attributes)) message.message(5, attribute(name, value));
  return message;
}

function valueInfo({ name, type, shape }: OnnxValue): ProtobufMessage {
  const sizes = new ProtobufMessage();
  for (const size of shape) {
    const dimension = new ProtobufMessage();
    sizes.message(1, typeof size === "number" ? dimension.integer(1, size) : dimension.text(2, size));
  }
  const tensorType = new ProtobufMessage().integer(1, ELEMENT_TYPES[type]).message(2, sizes);
  return new ProtobufMessage().text(1, name).message(2, new ProtobufMessage().message(1, tensorType));
}

/** The model's file. */
export function encodeModel(model: OnnxModel): Uint8Array<ArrayBuffer> {
  const graph = new ProtobufMessage();
  for (const entry of model.nodes) graph.message(1, node(entry));
  graph.text(2, model.name);
  for (const constant of model.constants) graph.message(5, tensor(constant));
  for (const input of model.inputs) graph.message(11, valueInfo(input));
  for (const output of model.outputs) graph.message(12, valueInfo(output));
  const message = new ProtobufMessage()
    .integer(1, FORMAT_VERSION)
    .text(2, "rlkit")
    .text(3, model.version)
    .message(7, graph)
    .message(8, new ProtobufMessage().text(1, "").integer(2, OPERATOR_SET));
  for (const [key, value] of Object.entries(model.metadata))
    message.message(14, new ProtobufMessage().text(1, key).text(2, value));
  return message.encode();
}
