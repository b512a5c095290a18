/** Reads what onnxruntime's JavaScript face does not show of a model, from the wire format. */

interface Field {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Fields of a message that hold bytes; numbers are passed over. */
function fieldsOf(message: Uint8Array): Field[] {
  let at = 0;
  const varint = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const fields: Field[] = [];
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    if (tag % 8 === 0) continue;
    fields.push({ number: Math.floor(tag / 8), bytes: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const fieldOf = (fields: readonly Field[], number: number) =>
  fields.find((field) => field.number === number)?.bytes;

/** Texts of a model that say where it comes from, and names of the values that it holds. */
export function describeModel(bytes: Uint8Array) {
  const model = fieldsOf(bytes);
  const graph = fieldsOf(fieldOf(model, 7) ?? new Uint8Array());
  const entries = model
    .filter(({ number }) => number === 14)
    .map((entry): [string, string] => {
      const fields = fieldsOf(entry.bytes);
      return [text(fieldOf(fields, 1)), text(fieldOf(fields, 2))];
    });
  return {
    producer: text(fieldOf(model, 2)),
    version: text(fieldOf(model, 3)),
    metadata: Object.fromEntries(entries),
    constants: graph
      .filter(({ number }) => number === 5)
      .map((constant) => text(fieldOf(fieldsOf(constant.bytes), 8))),
    operators: graph
      .filter(({ number }) => number === 1)
      .map((node) => text(fieldOf(fieldsOf(node.bytes), 4))),
  };
}
