import { z } from "zod";
import { KNOWN_ARCHITECTURES } from "../knownNames.ts";
import { option, tagged, type UnionTag } from "../taggedUnion.ts";
import { CnnLstmSpec } from "./CnnLstmSpec.ts";
import { CnnSpec } from "./CnnSpec.ts";
import { LstmSpec } from "./LstmSpec.ts";
import { MlpSpec } from "./MlpSpec.ts";
import { MultiInputSpec } from "./MultiInputSpec.ts";
import { ResnetSpec } from "./ResnetSpec.ts";
import { SimbaSpec } from "./SimbaSpec.ts";

const TAG: UnionTag = {
  what: "architecture",
  key: "arch",
  tags: KNOWN_ARCHITECTURES,
  fallback: "mlp",
};

/** The part of a network that turns an observation into the latent vector; `arch` says its kind. */
export const EncoderSpec = tagged(
  z.union([
    option(TAG, "mlp", MlpSpec),
    option(TAG, "cnn", CnnSpec),
    option(TAG, "cnn_lstm", CnnLstmSpec),
    option(TAG, "lstm", LstmSpec),
    option(TAG, "simba", SimbaSpec),
    option(TAG, "multiinput", MultiInputSpec),
    option(TAG, "resnet", ResnetSpec),
  ]),
  TAG,
);
export type EncoderSpec = z.output<typeof EncoderSpec>;
/** Name of an encoder's kind. */
export type Architecture = EncoderSpec["arch"];
