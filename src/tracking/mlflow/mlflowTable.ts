/** Tables as JSON artifacts of an MLflow run, in the layout of MLflow's `log_table`. */

export interface MlflowTable {
  /** URL-encoded path among the run's artifacts. */
  readonly file: string;
  readonly text: string;
}

/** @throws TypeError for a cell that JSON cannot represent. */
export const mlflowTable = (
  name: string,
  step: number,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): MlflowTable => ({
  file: `tables/${encodeURIComponent(name.replaceAll("/", "-"))}_${step}.json`,
  text: JSON.stringify({ columns, data: rows }),
});

/**
 * The path at which a server accepts a run's artifacts; null if the server does not proxy the artifact store.
 */
export function artifactsPath(artifact_uri: string): string | null {
  const [, path] = /^mlflow-artifacts:\/([^/].*)$/.exec(artifact_uri) ?? [];
  return path === undefined ? null : `/api/2.0/mlflow-artifacts/artifacts/${path}`;
}
