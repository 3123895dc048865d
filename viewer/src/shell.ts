// One word of a shell, as it has to be written there: an element of a list has brackets in its name, a quantity a space before its unit.
export const quoted = (word: string) => (/^[\w./=+:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
