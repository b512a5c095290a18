import { z } from "zod";
import { field, integer, layerSizes } from "../field.ts";
import { DeferredCnnLstmSpec } from "./CnnLstmSpec.ts";
import { CNN_DEFAULTS, checkCnn, DeferredCnnSpec } from "./CnnSpec.ts";
import { inWords } from "./deferredFields.ts";
import { checkLstm, DeferredLstmSpec, LSTM_DEFAULTS } from "./LstmSpec.ts";
import { DeferredMlpSpec, MLP_BOUNDS, MLP_ENCODER_DEFAULTS } from "./MlpSpec.ts";
import { DeferredMultiInputSpec, MULTI_INPUT_DEFAULTS } from "./MultiInputSpec.ts";
import { checkSimba, DeferredSimbaSpec, SIMBA_DEFAULTS } from "./SimbaSpec.ts";
import { checkSize, checkStack, LATENT_BOUNDS } from "./sizeBounds.ts";

/** The kinds of encoder that a section without `arch` can turn out to be. */
export const DEFERRED_ENCODERS = {
  mlp: { schema: DeferredMlpSpec, defaults: MLP_ENCODER_DEFAULTS },
  cnn: { schema: DeferredCnnSpec, defaults: CNN_DEFAULTS },
  cnn_lstm: { schema: DeferredCnnLstmSpec, defaults: { ...CNN_DEFAULTS, ...LSTM_DEFAULTS } },
  lstm: { schema: DeferredLstmSpec, defaults: LSTM_DEFAULTS },
  simba: { schema: DeferredSimbaSpec, defaults: SIMBA_DEFAULTS },
  multiinput: { schema: DeferredMultiInputSpec, defaults: MULTI_INPUT_DEFAULTS },
} as const;
/** Name of a kind of encoder that can be inferred. */
export type DeferredArchitecture = keyof typeof DEFERRED_ENCODERS;

/** Which kinds have a setting, and what holds in each when it is unset. */
function applies(key: string): string {
  const kinds = Object.entries(DEFERRED_ENCODERS).filter(([, { schema }]) =>
    Object.hasOwn(schema.shape, key),
  );
  const unset = kinds.map(([arch, { defaults }]) => {
    const values: Readonly<Record<string, unknown>> = defaults;
    return Object.hasOwn(values, key) ? `${arch} (unset, ${inWords(values[key])})` : arch;
  });
  return `For ${unset.join(", ")}.`;
}

/** The sentence of a field's help that does not depend on the kind. */
const firstSentence = (help: string): string => help.replace(/ Unset, .*$/, "");

function withKinds<S extends z.ZodRawShape>(shape: S): S {
  const fields = Object.entries(shape).map(([key, schema]) => {
    const meta = schema instanceof z.ZodType ? (schema.meta() ?? {}) : {};
    const description = `${firstSentence(meta.description ?? "")} ${applies(key)}`;
    return [key, schema instanceof z.ZodType ? schema.meta({ ...meta, description }) : schema];
  });
  // Keys and types stay; only the help changes.
  return Object.fromEntries(fields) as S;
}

/**
 * An encoder whose kind follows from the environment: any setting of any kind. `resolveNetwork` refuses those
 * that the kind does not have.
 */
export const DeferredEncoderSpec = z
  .strictObject(
    withKinds({
      ...DeferredMultiInputSpec.shape,
      ...DeferredSimbaSpec.shape,
      ...DeferredLstmSpec.shape,
      ...DeferredCnnSpec.shape,
      ...DeferredMlpSpec.shape,
      hidden_size: field(
        z.union([layerSizes(), integer(1)]).optional(),
        "Width of each hidden layer, or the one width of simba.",
        { unit: "nodes" },
      ),
    }),
  )
  .superRefine((spec, context) => {
    checkStack(spec, MLP_BOUNDS, context);
    checkCnn(spec, context);
    checkLstm(spec, context);
    checkSimba(spec, context);
    checkSize(spec, LATENT_BOUNDS, context);
  });
export type DeferredEncoderSpec = z.output<typeof DeferredEncoderSpec>;
