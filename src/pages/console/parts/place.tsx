import type { ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';

type Place = Readonly<
  Partial<Record<'venueName' | 'room' | 'address' | 'addressLine2' | 'city' | 'state' | 'zip', string | null>>
>;

/** Where something takes place, with a link to a map; nothing while that is not known. */
export function PlaceLink({ venueName, room, address, addressLine2, city, state, zip }: Place): ReactNode {
  const { parts } = useMessages();
  const place = [venueName, address, addressLine2, [city, state, zip].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
  if (!place) return room;
  return (
    <>
      <a
        href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`}
        target="_blank"
        rel="noreferrer"
        aria-label={parts.map(place)}
      >
        {place}
      </a>
      {room && ` · ${room}`}
    </>
  );
}
