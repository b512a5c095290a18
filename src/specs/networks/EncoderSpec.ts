import { z } from "zod";
import { option, tagged, type UnionTag } from "../taggedUnion.ts";
import { ARCHITECTURES, addArchitecture, type OwnArchitecture } from "./architectures.ts";
import type { ArchitectureDefinition } from "./defineArchitecture.ts";

const names: string[] = ARCHITECTURES.map(({ arch }) => arch);

const TAG: UnionTag = { what: "architecture", key: "arch", tags: names, fallback: "mlp" };

type OptionOf<S> = S extends z.ZodType ? z.ZodPreprocess<S, z.input<S>> : never;
type Option = OptionOf<OwnArchitecture["spec"]>;

const optionOf = ({ arch, spec }: Pick<ArchitectureDefinition, "arch" | "spec">): Option =>
  // The types of manifests know only the `arch` of registered architectures' sections.
  option(TAG, arch, spec) as unknown as Option;

// The union reads this list whenever it parses.
const options: Option[] = ARCHITECTURES.map(optionOf);

const madeEncoderSpec = tagged(z.union(options), TAG);
type EncoderSpecMade = typeof madeEncoderSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface EncoderSpecSchema extends EncoderSpecMade {}

/** The part of a network that turns an observation into the latent vector; `arch` is its kind. */
export const EncoderSpec: EncoderSpecSchema = madeEncoderSpec;
export type EncoderSpec = z.output<typeof EncoderSpec>;
/** Name of an encoder's kind. */
export type Architecture = EncoderSpec["arch"];

/**
 * Makes an architecture available to manifests in this thread. Its module must be registered too
 * (`registerModule`). Registering it again has no effect.
 *
 * @throws Error when another architecture has the name.
 *
 * @example
 * ```ts
 * declare const mine: ArchitectureDefinition; // what `defineArchitecture` makes
 * registerArchitecture(mine);
 * ```
 */
export function registerArchitecture(definition: ArchitectureDefinition): void {
  if (!addArchitecture(definition)) return;
  names.push(definition.arch);
  options.push(optionOf(definition));
}
