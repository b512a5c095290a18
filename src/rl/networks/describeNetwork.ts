import { definitionOf } from "../modules/moduleData.ts";
import type { NetworkData } from "./networkData.ts";

/** Widths of encoder's hidden layers | latent vector | head's hidden layers, e.g. "64-64 | 64 | 64". */
export function describeNetwork({ encoder, latent_dim, head }: NetworkData): string {
  const own = definitionOf(head).describe(head);
  if (encoder === null) return own;
  if (encoder === "shared") return `shared | ${latent_dim} | ${own}`;
  return `${definitionOf(encoder).describe(encoder)} | ${latent_dim} | ${own}`;
}
