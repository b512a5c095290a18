/** Environment variables, where there are any. */
export const environmentVariable = (name: string): string | null => {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || null;
};
