/* Descriptions for both dialects. */

export const checkInText = 'People check in on it at the event with this UUID; null: nobody does.';
export const secretText = 'The secret with which the browser claims its board token. It is not shown.';
export const cityText = 'Shows only events in this city, without regard to case and accents.';
export const searchText =
  'Shows only events with this text in their title, venue or city, without regard to case and accents.';
