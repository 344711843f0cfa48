export const invitation = {
  title: 'Your invitation',
};
