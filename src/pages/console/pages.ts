import { lazy, type ComponentType } from 'react';
import type { Role } from '../application/session.ts';

/** A page of the console: a folder with this name, whose `page.tsx` exports the component by default. */
export interface ConsolePage {
  /** Address below `/app`. */
  readonly path: string;
  /** Key of its texts in the catalogue of messages. */
  readonly key:
    | 'home'
    | 'events'
    | 'event'
    | 'people'
    | 'person'
    | 'board'
    | 'myShifts'
    | 'availability'
    | 'settings'
    | 'parts'
    | 'invitation'
    | 'answer'
    | 'forgotten'
    | 'newPassword'
    | 'unsubscribe';
  /** Who may open it; null: everybody, also without a log-in. */
  readonly roles: readonly Role[] | null;
  /** Whose navigation names it. */
  readonly navigation: readonly Role[];
  readonly Content: ComponentType;
}

const everybody: readonly Role[] = ['ADMIN', 'STAFF', 'CLIENT'];

/** In the order of the navigation. The first of a role is its start page. */
export const pages: readonly ConsolePage[] = [
  { path: '/', key: 'home', roles: ['ADMIN'], navigation: ['ADMIN'], Content: lazy(() => import('./home/page.tsx')) },
  {
    path: '/my-shifts',
    key: 'myShifts',
    roles: ['STAFF'],
    navigation: ['STAFF'],
    Content: lazy(() => import('./my-shifts/page.tsx')),
  },
  {
    path: '/availability',
    key: 'availability',
    roles: ['STAFF'],
    navigation: ['STAFF'],
    Content: lazy(() => import('./availability/page.tsx')),
  },
  {
    path: '/events',
    key: 'events',
    roles: ['ADMIN', 'CLIENT'],
    navigation: ['ADMIN', 'CLIENT'],
    Content: lazy(() => import('./events/page.tsx')),
  },
  // `/events/new` is the form of an event that does not exist yet.
  {
    path: '/events/:id',
    key: 'event',
    roles: everybody,
    navigation: [],
    Content: lazy(() => import('./event/page.tsx')),
  },
  {
    path: '/people',
    key: 'people',
    roles: ['ADMIN'],
    navigation: ['ADMIN'],
    Content: lazy(() => import('./people/page.tsx')),
  },
  {
    path: '/people/:id',
    key: 'person',
    roles: ['ADMIN'],
    navigation: [],
    Content: lazy(() => import('./person/page.tsx')),
  },
  {
    path: '/board',
    key: 'board',
    roles: everybody,
    navigation: everybody,
    Content: lazy(() => import('./board/page.tsx')),
  },
  {
    path: '/settings/:section?',
    key: 'settings',
    roles: everybody,
    navigation: ['ADMIN'],
    Content: lazy(() => import('./settings/page.tsx')),
  },
  { path: '/parts', key: 'parts', roles: everybody, navigation: [], Content: lazy(() => import('./parts/page.tsx')) },
  {
    path: '/invitation',
    key: 'invitation',
    roles: null,
    navigation: [],
    Content: lazy(() => import('./invitation/page.tsx')),
  },
  { path: '/answer', key: 'answer', roles: null, navigation: [], Content: lazy(() => import('./answer/page.tsx')) },
  {
    path: '/forgotten',
    key: 'forgotten',
    roles: null,
    navigation: [],
    Content: lazy(() => import('./forgotten/page.tsx')),
  },
  {
    path: '/new-password',
    key: 'newPassword',
    roles: null,
    navigation: [],
    Content: lazy(() => import('./new-password/page.tsx')),
  },
  {
    path: '/unsubscribe',
    key: 'unsubscribe',
    roles: null,
    navigation: [],
    Content: lazy(() => import('./unsubscribe/page.tsx')),
  },
];
