/** Passes of a model with adapters of one shape, or without an adapter. */
import type { AdapterWeights } from "../adapters/initialAdapter.ts";
import { Decodings } from "../engine/Decodings.ts";
import type { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import { Policy } from "../engine/Policy.ts";
import { ownName, type Tuning } from "../models/WeightSource.ts";

/** Key of an adapter's shape. Adapters with the same key can replace each other. */
export const shapeKey = (tuning: Tuning): string => JSON.stringify(tuning);

export class Passes {
  readonly policy: Policy;
  readonly decodings: Decodings;

  constructor(model: ModelOnDevice, tuning: Tuning) {
    this.policy = new Policy(model, { tuning, reference: false, critic: false });
    this.decodings = new Decodings(this.policy);
  }

  /** Sets the adapter weights of all later passes. */
  take(adapter: AdapterWeights): void {
    this.policy.write([...adapter].map(([name, values]) => [ownName("actor", name), values]));
  }

  release(): void {
    this.decodings.release();
    this.policy.release();
  }
}
