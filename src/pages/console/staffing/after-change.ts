/** Reads again what is on display beside `useRead`, once people were changed. */
export const afterChange = new Set<() => Promise<void>>();
