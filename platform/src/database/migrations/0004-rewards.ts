export const rewards = `
ALTER TABLE runs ADD COLUMN reward jsonb;
`;
