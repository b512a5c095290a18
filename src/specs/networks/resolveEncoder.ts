/** Resolves all settings of an encoder, from a declared or a deferred section. */
import { parseSpec } from "../parseSpec.ts";
import { SpecError } from "../SpecError.ts";
import type { Activation } from "./Activation.ts";
import { findArchitecture, type Inferable, type OwnArchitecture } from "./architectures.ts";
import type { DeferredEncoderSpec } from "./DeferredEncoderSpec.ts";
import type { ObservationKind } from "./defineArchitecture.ts";
import type { EncoderSpec } from "./EncoderSpec.ts";

/** Null means no output activation, which no section can request. */
type WithOutput<Encoder> = Encoder extends { output_activation: unknown }
  ? Omit<Encoder, "output_activation"> & { output_activation: Activation | null }
  : Encoder;

/** An encoder with all settings known; `arch` is its kind. */
export type ResolvedEncoder = WithOutput<ReturnType<OwnArchitecture["resolve"]>>;

/** An encoder that a section declares: its output activation is known, and its output is not scaled down. */
export const resolveDeclared = (encoder: EncoderSpec): ResolvedEncoder =>
  // The definition of this name made and resolves exactly this section.
  findArchitecture(encoder.arch).resolve(encoder) as ResolvedEncoder;

/**
 * An encoder of the kind that follows from the environment.
 *
 * @param place Source of the settings: "network" or "mutation.network".
 * @throws {@link SpecError} for settings that encoders of the kind do not have, or have in a different form.
 */
export function resolveDeferred(
  architecture: Inferable,
  settings: DeferredEncoderSpec,
  { place, observation }: { readonly place: string; readonly observation: ObservationKind },
): ResolvedEncoder {
  const { arch, spec, inferred } = architecture;
  const { deferred, fill, read = (given) => given } = inferred;
  const allowed = Object.keys(deferred.shape);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const foreign = given.map(([key]) => key).filter((key) => !allowed.includes(key));
  const segments = [...place.split("."), place === "network" ? "encoder_config" : "encoder"];
  if (foreign.length > 0) {
    throw new SpecError(
      foreign.map((key) => ({
        code: "unknown_key" as const,
        path: [...segments, key].join("."),
        segments: [...segments, key],
        message: `${key} is not a setting of arch ${arch}, which follows from this environment's ${observation} observations and the algorithm; allowed keys: ${allowed.join(", ")}`,
      })),
      "manifest",
    );
  }
  const own = read(settings);
  parseSpec(deferred, own, segments.join("."));
  // Resolved like a declared section.
  return architecture.resolve(spec.parse({ arch, ...fill(own) })) as ResolvedEncoder;
}
