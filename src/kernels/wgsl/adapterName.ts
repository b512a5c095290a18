/** Driver names of adapters that compute on the CPU. Not all browsers mark these as fallback adapters. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** An adapter's information about itself; browsers leave most of it empty. */
export type AdapterFacts = Pick<
  GPUAdapterInfo,
  "vendor" | "architecture" | "device" | "description" | "isFallbackAdapter"
>;

/** Whether an adapter is software that replaces a GPU. */
export function isSoftwareAdapter(info: AdapterFacts): boolean {
  return info.isFallbackAdapter || SOFTWARE.test(`${info.description} ${info.architecture} ${info.device}`);
}

/** An adapter's display name; "unnamed adapter" if the browser hides it. */
export function adapterName(info: AdapterFacts): string {
  const { description, vendor, architecture } = info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed adapter";
  return isSoftwareAdapter(info) ? `${name} (software, on the CPU)` : name;
}
