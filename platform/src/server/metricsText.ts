/** The platform's metrics in the Prometheus text format. */
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { runStatusSchema } from "../runs/RunRow.ts";
import type { WorkerTable } from "../worker/WorkerTable.ts";

const countSchema = z.object({ state: runStatusSchema, count: z.coerce.number() });

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [labels: string, value: number])[];
}

const textOf = ({ name, help, values }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}`),
    "",
  ].join("\n");

export async function metricsText(
  database: Database,
  workers: WorkerTable,
  openStreams: number,
): Promise<string> {
  const rows = await database.query("SELECT state, count(*) AS count FROM runs GROUP BY state");
  const counts = new Map(rows.map((row) => countSchema.parse(row)).map(({ state, count }) => [state, count]));
  const able = await workers.list();
  const metrics: readonly Metric[] = [
    {
      name: "rlkit_runs",
      help: "Runs by state.",
      values: runStatusSchema.options.map((state) => [`{state="${state}"}`, counts.get(state) ?? 0]),
    },
    { name: "rlkit_workers", help: "Workers with a recent heartbeat.", values: [["", able.length]] },
    {
      name: "rlkit_worker_cores",
      help: "Training threads of all workers.",
      values: [["", able.reduce((sum, { cores }) => sum + cores, 0)]],
    },
    { name: "rlkit_event_streams", help: "Open event streams.", values: [["", openStreams]] },
  ];
  return metrics.map(textOf).join("");
}
