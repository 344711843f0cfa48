export const parts = {
  title: 'Parts',
};
