import type { ApiName, PublicApi } from "./publicApi.ts";

const block = (names: readonly ApiName[]): string => {
  const code = names.flatMap(({ declarations }) => [...new Set(declarations.map((one) => one.code))]);
  return `\`\`\`ts\n${code.join("\n\n")}\n\`\`\`\n`;
};

/** The file of an entry's report: "kernels.api.md". */
const fileOf = (entry: string): string => `${entry.replace(/^rlkit\//, "").replaceAll("/", "-")}.api.md`;

/**
 * The reports of etc, by file: each entry's declarations without comments, and in "behind.api.md" those that they name and
 * no entry exports. What several entries export is in the first one's report.
 */
export function apiReports({ entries, behind }: PublicApi): Map<string, string> {
  const first = new Map<number, string>();
  const reports = new Map<string, string>();
  for (const { entry, names } of entries) {
    const own = names.filter(({ id }) => !first.has(id));
    const others = names
      .filter(({ id }) => first.has(id))
      .map(({ name, id }) => `- \`${name}\` of ${first.get(id)}\n`);
    for (const { id } of own) first.set(id, entry);
    const parts = [`# ${entry}\n`, ...(own.length > 0 ? [block(own)] : [])];
    if (others.length > 0) parts.push(`## Of other entries\n`, others.join(""));
    reports.set(fileOf(entry), parts.join("\n"));
  }
  reports.set("behind.api.md", `# Named by exports, and not exported\n\n${block(behind)}`);
  return reports;
}
