export const person = {
  title: 'Person',
};
