import type { TrainingManifestInput } from "../manifest/TrainingManifest.ts";

/** A run that is ready to start. */
export interface Template {
  /** Stable name, suitable for a URL. */
  id: string;
  title: string;
  /** One line: what is learnt and what can be seen. */
  description: string;
  manifest: TrainingManifestInput & { environment: { name: string } };
}
