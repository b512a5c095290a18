/** Whether a text can name a recorded data set. Names become parts of file names. */
export const isDatasetName = (text: string): boolean => /^[\w.-]+(?:\/[\w.-]+)*-v\d+$/.test(text);
