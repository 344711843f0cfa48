export const forgotten = {
  title: 'Forgotten password',
  lead: 'We send you a link to choose a new password.',
  email: 'E-mail',
  send: 'Send the link',
  sent: 'If a user has this address, a mail is on its way. Its link works for an hour.',
};

export const newPassword = {
  title: 'A new password',
  lead: 'Choose a new password. You are logged out everywhere else, and logged in here.',
  start: 'Set the password and log in',
  over: 'This link no longer works: it was used, or is older than an hour. Ask for a new one.',
  again: 'Ask for a new link',
};
