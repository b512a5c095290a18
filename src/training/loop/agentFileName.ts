/** The file that an agent saved as `path` lies in: it ends in ".safetensors", also where ".pt" or nothing is given. */
export const agentFileName = (path: string): string =>
  `${path.replace(/\.(safetensors|pt)$/, "")}.safetensors`;
