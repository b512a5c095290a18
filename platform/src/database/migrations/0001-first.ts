export const first = `
CREATE TABLE projects (
  name text PRIMARY KEY,
  description text NOT NULL DEFAULT '',
  llm_based boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO projects (name) VALUES ('default');

CREATE TABLE keys (
  id text PRIMARY KEY,
  hash bytea NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  project text REFERENCES projects ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  used_at timestamptz
);

CREATE TABLE runs (
  id text PRIMARY KEY,
  name text NOT NULL,
  project text NOT NULL REFERENCES projects,
  key text NOT NULL,
  idempotency_key text,
  request_hash text NOT NULL,
  manifest jsonb NOT NULL,
  seed bigint NOT NULL,
  resource_id text NOT NULL,
  num_nodes integer,
  state text NOT NULL,
  desired text NOT NULL DEFAULT 'run',
  reason text,
  launch integer NOT NULL DEFAULT 1,
  attempt integer NOT NULL DEFAULT 0,
  worker text,
  last_seq bigint NOT NULL DEFAULT 0,
  generation integer NOT NULL DEFAULT 0,
  global_step bigint NOT NULL DEFAULT 0,
  best_fitness double precision,
  progress jsonb,
  elite jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz,
  UNIQUE (project, name),
  UNIQUE (key, idempotency_key)
);
CREATE INDEX runs_state ON runs (state);

CREATE TABLE run_events (
  run text NOT NULL REFERENCES runs ON DELETE CASCADE,
  seq bigint NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, seq),
  UNIQUE (run, key)
);

CREATE TABLE checkpoints (
  run text NOT NULL REFERENCES runs ON DELETE CASCADE,
  generation integer NOT NULL,
  global_step bigint NOT NULL,
  fitness double precision,
  attempt integer NOT NULL,
  files jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, generation)
);

CREATE TABLE workers (
  id text PRIMARY KEY,
  pid integer NOT NULL,
  host text NOT NULL,
  cores integer NOT NULL,
  device text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
`;
