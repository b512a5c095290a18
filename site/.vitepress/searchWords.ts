/**
 * The words of a text as the search knows them: names such as learn_step and rlkit/HalfCheetah-v0 are one word, and also the
 * parts of these. Pages get its source, so it uses nothing from outside.
 */
export const searchWords = (text: string): string[] => {
  const words = text.split(/[\s,;:=?*#|"'`()[\]{}<>]+/u).map((word) => word.replace(/\.+$/u, ""));
  return [...new Set([...words, ...words.flatMap((word) => word.split(/[_./-]+/u))])];
};
