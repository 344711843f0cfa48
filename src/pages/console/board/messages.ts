export const board = {
  title: 'Board',
};
