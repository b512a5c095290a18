/**
 * Why a package must not be published yet, or undefined. The registry's page of a package resolves the README's relative
 * links against `repository`; without it they lead nowhere.
 *
 * @param {{ repository?: string | { url?: string } }} manifest its package.json
 */
export function publishProblem({ repository }) {
  const address = typeof repository === "string" ? repository : repository?.url;
  if (address !== undefined && /^(git\+)?https:\/\/[^/]+\/.+|^(github|gitlab|bitbucket):.+\/.+/.test(address))
    return undefined;
  return (
    `package.json has ${address === undefined ? "no repository" : `the repository "${address}"`}: the README's links ` +
    "would lead nowhere on the registry's page. Name the public one, such as https://github.com/owner/rlkit."
  );
}
