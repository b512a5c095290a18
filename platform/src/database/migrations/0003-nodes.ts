export const nodes = `
ALTER TABLE workers ADD COLUMN run text REFERENCES runs ON DELETE SET NULL;
`;
