/** Titles of pages whose other texts are loaded with them. */
export const pageTitles = { attendance: 'Attendance', availability: 'When I can work', payroll: 'Payroll' };

export const shell = {
  skip: 'Skip to the content',
  navigation: 'Console',
  account: (name: string) => `Account of ${name}`,
  roles: { ADMIN: 'admin', STAFF: 'staff', CLIENT: 'client' },
  logOut: 'Log out',
  loggingIn: 'Logging in',
  loading: 'Loading',
  logIn: { title: 'Run your events', lead: 'Events, people and who works where: all of your business in one place.' },
  developers: 'For developers',
  developerPages: {
    '/docs': 'API reference',
    '/playground': 'Playground',
    '/guide': 'Guides',
    '/schema': 'GraphQL schema',
  },
  notFound: {
    title: 'Page not found',
    lead: (path: string) => `There is no page at ${path}. The address may have a slip, or the page has moved.`,
  },
  notForRole: {
    title: 'Not for your role',
    lead: 'This page is for other people of your business. Ask an admin if you need it.',
  },
  failed: {
    title: 'This page cannot be shown',
    lead: 'Load it again; if that does not help, tell whoever runs the service. Nothing that you saved is lost.',
  },
  toStart: 'To the start page',
  notFetched:
    'This part of the page could not be fetched: the service cannot be reached, or has a new version. The page stays as it is.',
  notAnswered: 'The service cannot be reached yet.',
  retry: 'Try again',
  close: 'Close',
  notSaved: 'Not saved: the service cannot be reached. What you typed is kept. Check the connection and save again.',
};
