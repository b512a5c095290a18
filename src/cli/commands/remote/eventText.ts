import { z } from "zod";
import type { RemoteRunEvent } from "../../../remote/index.ts";
import { formatCount, formatValue } from "../../../tracking/clients.ts";

/** Fields of a generation event that the text shows. JSON has null for a fitness that is not finite. */
const Generation = z.object({
  generation: z.number(),
  global_step: z.number(),
  fitnesses: z.array(z.number().nullable()),
});
const State = z.object({ state: z.string(), reason: z.string().nullish() });
const Checkpoint = z.object({ generation: z.number() });
const Said = z.object({ message: z.string() });

function generationText(data: unknown): string | null {
  const read = Generation.safeParse(data);
  if (!read.success) return null;
  const { generation, global_step, fitnesses } = read.data;
  const known = fitnesses.filter((fitness) => fitness !== null);
  const best = known.length === 0 ? Number.NaN : Math.max(...known);
  return `generation ${generation}: ${formatCount(global_step)} steps, best fitness ${formatValue(best)}`;
}

function stateText(data: unknown): string | null {
  const read = State.safeParse(data);
  if (!read.success) return null;
  return read.data.reason ? `${read.data.state}: ${read.data.reason}` : read.data.state;
}

function checkpointText(data: unknown): string | null {
  const read = Checkpoint.safeParse(data);
  return read.success ? `checkpoint of generation ${read.data.generation}` : null;
}

function otherText(event: string, data: unknown): string | null {
  const read = Said.safeParse(data);
  return read.success ? `${event}: ${read.data.message}` : null;
}

const TEXTS: Readonly<Record<string, (data: unknown) => string | null>> = {
  generation: generationText,
  state: stateText,
  checkpoint: checkpointText,
};

/**
 * One line of text for an event; for an event of an unknown kind, its name and data.
 * @returns null for progress within a generation, which is reported several times a second.
 */
export function eventText({ event, data }: RemoteRunEvent): string | null {
  if (event === "progress") return null;
  const text = Object.hasOwn(TEXTS, event) ? TEXTS[event]?.(data) : otherText(event, data);
  return text ?? `${event} ${JSON.stringify(data)}`;
}
