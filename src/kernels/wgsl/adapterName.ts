/** Adapters that compute on the CPU, as their drivers call themselves. Not all browsers mark them. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** Whether an adapter is software that takes the place of a GPU. */
export function isSoftwareAdapter(info: GPUAdapterInfo): boolean {
  return info.isFallbackAdapter || SOFTWARE.test(`${info.description} ${info.architecture} ${info.device}`);
}

/** An adapter's name for people; "unnamed adapter" where the browser keeps it secret. */
export function adapterName(info: GPUAdapterInfo): string {
  const { description, vendor, architecture } = info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed adapter";
  return isSoftwareAdapter(info) ? `${name} (software, on the CPU)` : name;
}
