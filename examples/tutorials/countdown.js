/** Rewards for equations of given numbers: one point for the right value, one for the format. A module without imports. */

/** The value of an expression of numbers, + - * / and parentheses; NaN for anything else. */
function valueOf(text) {
  const tokens = text.match(/\d+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const factor = () => {
    const token = tokens[at++];
    if (token !== "(") return /^\d+$/.test(token ?? "") ? Number(token) : Number.NaN;
    const value = sum();
    return tokens[at++] === ")" ? value : Number.NaN;
  };
  const product = () => {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/")
      value = tokens[at++] === "*" ? value * factor() : value / factor();
    return value;
  };
  const sum = () => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-")
      value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : Number.NaN;
}

const sorted = (numbers) =>
  numbers
    .map(Number)
    .sort((a, b) => a - b)
    .join();

export function reward(completion, answer, row) {
  const [, equation = ""] = /<answer>([^<]*)<\/answer>/.exec(completion) ?? [];
  const usesAll = sorted(equation.match(/\d+/g) ?? []) === sorted(row.numbers.split(","));
  const isRight = usesAll && Math.abs(valueOf(equation) - Number(answer)) < 1e-5;
  const isFormatted = /^<think>[^<]*<\/think>\s*<answer>[^<]*<\/answer>$/.test(completion.trim());
  return { equation: isRight ? 1 : 0, format: isFormatted ? 1 : 0 };
}
