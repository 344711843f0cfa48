export const invitation = {
  title: 'Your invitation',
  lead: 'Choose a password. Then you are logged in, and see your shifts or your business.',
  password: 'Password',
  hint: 'At least 8 characters, and not one that is easy to guess.',
  keep: 'Stay logged in on this device',
  start: 'Set the password and log in',
  incomplete: 'This address is not whole: open the link as it was sent, to its last letter.',
  over: 'This invitation is over: it was used, replaced by a newer one, or is older than three days. Ask for a new link, or log in if you have a password.',
  toLogIn: 'To the log-in',
};
