import { z } from "zod";
import type { RemoteRunEvent } from "../../../remote/index.ts";
import { formatCount, formatValue } from "../../../tracking/formatValue.ts";

/** What a line shows of a generation; a fitness that is no number is null in JSON. */
const Generation = z.object({
  generation: z.number(),
  global_step: z.number(),
  fitnesses: z.array(z.number().nullable()),
});
const State = z.object({ state: z.string(), reason: z.string().nullish() });
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

/** One line of text for an event; of a kind that is not known, its name and data. */
export function eventText({ event, data }: RemoteRunEvent): string {
  const said = Said.safeParse(data);
  const text =
    event === "generation"
      ? generationText(data)
      : event === "state"
        ? stateText(data)
        : said.success
          ? `${event}: ${said.data.message}`
          : null;
  return text ?? `${event} ${JSON.stringify(data)}`;
}
