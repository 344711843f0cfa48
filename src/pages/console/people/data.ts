import { useMemo, useState } from 'react';
import type { Role } from '../../application/session.ts';
import { useRead } from '../data.ts';
import { useMessages } from '../messages/messages.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly phone: string | null;
  /** Whether they have set a password, such as by an invitation. */
  readonly canLogIn: boolean | null;
}

export interface PeopleFilter {
  readonly text: string;
  readonly role: Role | null;
  /** Id of a position in which people have a shift. */
  readonly position: string | null;
}

const pageSize = 100;
const pagesMax = 20;

/** All pages in one request. */
const peopleQuery = (pages: number, isByPosition: boolean) => {
  const list = isByPosition ? 'staff(positionId: $position, search: $search' : 'users(role: $role, search: $search';
  const page = (number: number) =>
    `page${number}: ${list}, perPage: ${pageSize}, page: ${number}) { totalCount nodes { id name email role phone canLogIn } }`;
  const variables = isByPosition ? '$position: ID' : '$role: Role';
  return `query People(${variables}, $search: String) {
  ${Array.from({ length: pages }, (_, index) => page(index + 1)).join('\n  ')}
}`;
};

type Pages = Readonly<Record<string, { readonly totalCount: number; readonly nodes: readonly Person[] }>>;

/** People by name, as many as a page can show. */
export function usePeople({ text, role, position }: PeopleFilter) {
  const { language } = useMessages();
  const [pages, setPages] = useState(1);
  const search = text || null;
  const { data, ...state } = useRead<Pages>(
    peopleQuery(pages, position !== null),
    position === null ? { role, search } : { position, search },
  );
  const totalCount = data?.['page1']?.totalCount ?? 0;
  const wanted = Math.min(pagesMax, Math.ceil(totalCount / pageSize));
  // Fewer pages than before are not worth another read.
  if (!state.isLoading && wanted > pages) setPages(wanted);
  const people = useMemo(() => {
    if (!data) return null;
    const { compare } = new Intl.Collator(language);
    return Object.values(data)
      .flatMap(({ nodes }) => nodes)
      .sort((one, other) => compare(one.name, other.name));
  }, [data, language]);
  return { ...state, people, totalCount };
}
