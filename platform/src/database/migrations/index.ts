/** The schema migrations, oldest first. A released migration is never changed. */
import { first } from "./0001-first.ts";

const queues = `
CREATE TABLE platform (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO platform DEFAULT VALUES;
ALTER TABLE workers ADD COLUMN queue text NOT NULL DEFAULT 'database';
`;

const nodes = `
ALTER TABLE workers ADD COLUMN run text REFERENCES runs ON DELETE SET NULL;
`;

const rewards = `
ALTER TABLE runs ADD COLUMN reward jsonb;
`;

const datasets = `
CREATE TABLE datasets (
  project text NOT NULL REFERENCES projects ON DELETE CASCADE,
  sha256 text NOT NULL,
  size bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project, sha256)
);
`;

const plays = `
CREATE TABLE plays (
  id text PRIMARY KEY,
  key text NOT NULL,
  html text NOT NULL,
  title text NOT NULL,
  poster bytea,
  created_at timestamptz NOT NULL DEFAULT now()
);
`;

export const MIGRATIONS: readonly string[] = [first, queues, nodes, rewards, datasets, plays];
