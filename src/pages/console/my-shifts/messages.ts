export const myShifts = {
  title: 'My shifts',
};
