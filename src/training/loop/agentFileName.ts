/**
 * File name of an agent saved as `path`: it ends in ".safetensors", also if `path` ends in ".pt" or has no
 * extension.
 */
export const agentFileName = (path: string): string =>
  `${path.replace(/\.(safetensors|pt)$/, "")}.safetensors`;
