export async function importManifest(_file: File): Promise<"yaml" | "json"> {
  return "yaml";
}
