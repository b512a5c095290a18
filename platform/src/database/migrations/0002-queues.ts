export const queues = `
CREATE TABLE platform (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO platform DEFAULT VALUES;
ALTER TABLE workers ADD COLUMN queue text NOT NULL DEFAULT 'database';
`;
