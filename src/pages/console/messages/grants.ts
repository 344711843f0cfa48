/** What scopes allow, printed from src/fields/grants.ts by `npm run generate`. */
export const scopeHints = {
  READ: 'Read and export all that the role may see.',
  EVENTS_WRITE:
    'Create, copy, change, cancel and delete events; create, change and delete call times, with their pay and bill rates; create, change and delete custom fields, and set their values; create, change and delete positions, skill levels and qualifications, with the pay and bill rates of positions.',
  STAFFING_WRITE:
    'Assign people to shifts, and change, move, exchange, cancel and delete shifts; confirm, decline and drop shifts; offer places, of which people are told by mail, and decide on their answers; answer offers, and claim open call times; ask for swaps, take, refuse and cancel them; approve swaps; check in and out; correct attendance, and let people check in by code again; approve worked hours, which fixes their pay; say when people can work.',
  USERS_WRITE:
    'Create, change and delete users who are no admins, save the e-mail address of somebody who has a password; invite users, which makes links to set a first password; add, change and delete qualifications held.',
  WEBHOOKS: 'Manage webhooks, and read and resend their messages.',
  FULL: 'Do all that the role may do; only with it, callers change the settings of the business; manage API keys; set passwords of others; approve and revoke screens; read the audit trail and the history; change their own password; list and end their log-ins; make and revoke calendar feeds; choose which mails they get; create, change and delete admins.',
};

/** Rights of a screen, as a sentence. */
export const screenSentence =
  'A screen may read the board of one filter; show the code for check-in of the event for which it was approved; check people in and out there, by their name and the last four digits of their phone number; stop being a screen.';
