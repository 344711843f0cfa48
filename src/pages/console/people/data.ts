import {
  PeopleByPositionDocument,
  PeopleDocument,
  type PersonFieldsFragment,
} from '../../../generated/pages/console/people.ts';
import { useMemo } from 'react';
import type { Role } from '../../application/session.ts';
import { usePages } from '../../application/list-pages.ts';
import { useMessages } from '../messages/messages.ts';

export type Person = PersonFieldsFragment;

export interface PeopleFilter {
  readonly text: string;
  readonly role: Role | null;
  /** Id of a position in which people have a shift. */
  readonly position: string | null;
}

const pagesMax = 20;

/** People by name, as many as a page can show. */
export function usePeople({ text, role, position }: PeopleFilter) {
  const { language } = useMessages();
  const search = text || null;
  const all = usePages(position === null ? PeopleDocument : null, { role, search }, pagesMax);
  const byPosition = usePages(position === null ? null : PeopleByPositionDocument, { position, search }, pagesMax);
  const { nodes, ...state } = position === null ? all : byPosition;
  const people = useMemo(() => {
    if (!nodes) return null;
    const { compare } = new Intl.Collator(language);
    return nodes.toSorted((one, other) => compare(one.name, other.name));
  }, [nodes, language]);
  return { ...state, people };
}
