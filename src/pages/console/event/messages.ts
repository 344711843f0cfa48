export const event = {
  title: 'Event',
};
