import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { followAddress } from './address.ts';
import { Board } from './board.tsx';
import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { usePageTitle } from '../parts/frame.tsx';

/** The live board. What it shows stands in the address, so links to another day or event go there. */
export default function BoardPage() {
  const { board: texts } = useMessages();
  const { role, business } = useViewer();
  const search = useSearch();
  const heading = usePageTitle<HTMLDivElement>(texts.title);
  useEffect(() => followAddress(search), [search]);
  return (
    <div ref={heading}>
      <Board role={role} zone={business.timezone} />
    </div>
  );
}
