/** Adapters that compute on the CPU, as their drivers call themselves. Not all browsers mark them. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** What an adapter tells of itself; browsers leave most of it empty. */
export type AdapterFacts = Pick<
  GPUAdapterInfo,
  "vendor" | "architecture" | "device" | "description" | "isFallbackAdapter"
>;

/** Whether an adapter is software that takes the place of a GPU. */
export function isSoftwareAdapter(info: AdapterFacts): boolean {
  return info.isFallbackAdapter || SOFTWARE.test(`${info.description} ${info.architecture} ${info.device}`);
}

/** An adapter's name for people; "unnamed adapter" where the browser keeps it secret. */
export function adapterName(info: AdapterFacts): string {
  const { description, vendor, architecture } = info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed adapter";
  return isSoftwareAdapter(info) ? `${name} (software, on the CPU)` : name;
}
