import { lazy, type ComponentType } from 'react';
import type { Role } from '../application/session.ts';
import { PageNotFetched } from './fallback.tsx';
import { loadAllMessages, loadSettingsMessages, type Messages } from './messages/messages.ts';

/** A page of the console: a folder with this name, whose `page.tsx` exports the component by default. The first that fits an address is it. */
export interface ConsolePage {
  /** Address below `/app`. */
  readonly path: string;
  /** Key of its texts in the catalogue of messages. */
  readonly key: Exclude<
    keyof Messages,
    | 'language'
    | 'session'
    | 'shell'
    | 'importing'
    | 'inviting'
    | 'pasting'
    | 'offers'
    | 'qualifications'
    | 'samples'
    | 'staffing'
    | 'swaps'
  >;
  /** Who may open it; null: everybody, also without a log-in. */
  readonly roles: readonly Role[] | null;
  /** Whose navigation names it. */
  readonly navigation: readonly Role[];
  readonly Content: ComponentType;
  /** Loads the content ahead. */
  readonly load: () => Promise<unknown>;
}

const admins: readonly Role[] = ['ADMIN'];
const staff: readonly Role[] = ['STAFF'];
const others: readonly Role[] = ['ADMIN', 'CLIENT'];
const everybody: readonly Role[] = ['ADMIN', 'STAFF', 'CLIENT'];

const page = (
  path: string,
  key: ConsolePage['key'],
  roles: ConsolePage['roles'],
  navigation: readonly Role[],
  load: () => Promise<{ default: ComponentType }>,
): ConsolePage => {
  const Content = lazy(() =>
    load().catch((error: unknown) => {
      throw new PageNotFetched((error as Error).message);
    }),
  );
  return { path, key, roles, navigation, Content, load };
};

/** Of a page that has texts with which the console does not begin. */
const withTexts = async <Page>(loading: Promise<Page>) => (await Promise.all([loading, loadAllMessages()]))[0];

/** In the order of the navigation. The first of a role is its start page. */
export const pages: readonly ConsolePage[] = [
  page('/', 'home', admins, admins, () => import('./home/page.tsx')),
  page('/my-shifts', 'myShifts', staff, staff, () => import('./my-shifts/page.tsx')),
  page('/availability', 'availability', staff, staff, () => withTexts(import('./availability/page.tsx'))),
  page('/events', 'events', others, others, () => import('./events/page.tsx')),
  page('/events/new', 'event', admins, [], () => import('./event/new.tsx')),
  page('/events/:id', 'event', everybody, [], () => import('./event/page.tsx')),
  page('/people', 'people', admins, admins, () => import('./people/page.tsx')),
  page('/people/:id', 'person', admins, [], () => withTexts(import('./person/page.tsx'))),
  page('/board', 'board', everybody, everybody, () => import('./board/page.tsx')),
  page('/call-sheet', 'callSheet', everybody, [], () => import('./call-sheet/page.tsx')),
  page('/attendance', 'attendance', admins, admins, () => withTexts(import('./attendance/page.tsx'))),
  page('/payroll', 'payroll', admins, admins, () => withTexts(import('./payroll/page.tsx'))),
  page('/check-in', 'checkIn', staff, [], () => import('./check-in/page.tsx')),
  page(
    '/settings/:section?',
    'settings',
    everybody,
    admins,
    async () => (await Promise.all([import('./settings/page.tsx'), loadSettingsMessages()]))[0],
  ),
  page('/parts', 'parts', everybody, [], () => withTexts(import('./parts/page.tsx'))),
  page('/invitation', 'invitation', null, [], () => withTexts(import('./invitation/page.tsx'))),
  page('/answer', 'answer', null, [], () => withTexts(import('./answer/page.tsx'))),
  page('/forgotten', 'forgotten', null, [], () => withTexts(import('./forgotten/page.tsx'))),
  page('/new-password', 'newPassword', null, [], () => withTexts(import('./new-password/page.tsx'))),
  page('/unsubscribe', 'unsubscribe', null, [], () => withTexts(import('./unsubscribe/page.tsx'))),
];
