import { CnnSpec, DeferredCnnSpec, DeferredMultiInputSpec, MultiInputSpec } from "../modules/all.ts";
import { switchesOf } from "../modules/architectures.ts";
import { declaresArchitecture, type NetworkSection } from "./NetworkSection.ts";
import type { NetworkSpec } from "./NetworkSpec.ts";

type Section = NetworkSection | NetworkSpec;
type Values = Readonly<Record<string, unknown>>;

const those = (values: Values, { shape }: { readonly shape: object }): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => key !== "arch" && value !== undefined && Object.hasOwn(shape, key),
    ),
  );

/**
 * The section of a network that reads the joint observations of several agents, if these have images or
 * parts: extractors (multiinput) replace its encoder and keep its convolutions for images. A section that
 * already has extractors is not changed.
 */
export function jointSection<S extends Section>(section: S): S {
  const encoder: Values = section.encoder_config;
  if (encoder.arch === "multiinput") return section;
  if (declaresArchitecture(section)) {
    const cnn_config = encoder.arch === "cnn" ? CnnSpec.parse(encoder) : null;
    const off = switchesOf(null);
    return { ...section, ...off, encoder_config: MultiInputSpec.parse({ arch: "multiinput", cnn_config }) };
  }
  const own = those(encoder, DeferredMultiInputSpec);
  const isCnn = "channel_size" in encoder || "kernel_size" in encoder || "stride_size" in encoder;
  const cnn = isCnn ? { cnn_config: those(encoder, DeferredCnnSpec) } : {};
  return { ...section, encoder_config: { ...cnn, ...own } };
}
