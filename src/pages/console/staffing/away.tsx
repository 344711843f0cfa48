import { SinceAwayDocument } from '../../../generated/pages/console/staffing.ts';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { readStored, store } from '../../application/storage.ts';
import { useRead, useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { useDateTime } from '../parts/date-time.ts';
import { describeEntry } from '../parts/history.tsx';
import './staffing.css';

/* What others have changed since the viewer was here last. When that was is kept in this browser. */

interface Visit {
  /** When the visit before ended; null if there was none. */
  readonly since: string | null;
  readonly seenAt: string;
}

/** Milliseconds without a look at the page after which the next look is another visit. */
const visitMs = 15 * 60_000;
const mostShown = 8;

function readVisit(key: string): Visit {
  const now = new Date().toISOString();
  const kept = readStored('localStorage', key) as Visit | null;
  const isNew = kept !== null && Date.now() - Date.parse(kept.seenAt) > visitMs;
  return { since: isNew ? kept!.seenAt : (kept?.since ?? null), seenAt: now };
}

/** On the page of an event what changed there; on others, what changed in the business. */
export function SinceAway({ event }: { event: string | null }) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const { business, user } = useViewer();
  const key = `callboard:seen:${business.id}:${user?.id}:${event ?? ''}`;
  const [visit, setVisit] = useState(() => readVisit(key));
  useEffect(() => {
    const keep = () =>
      document.visibilityState === 'visible' &&
      store('localStorage', key, { ...visit, seenAt: new Date().toISOString() });
    keep();
    const timer = setInterval(keep, 60_000);
    return () => clearInterval(timer);
  }, [key, visit]);
  const { data } = useRead(visit.since && user ? SinceAwayDocument : null, { from: visit.since, event });
  const own = user?.databaseId;
  const news = (data?.history?.nodes ?? []).filter(
    (entry) => entry.event && (entry.actorKind !== 'USER' || entry.actorDatabaseId !== own),
  );
  const formatTime = useDateTime();
  if (visit.since === null || news.length === 0) return null;
  return (
    <section className="st-away" aria-labelledby="away">
      <div>
        <h2 id="away">{texts.away}</h2>
        <Button look="quiet" onClick={() => setVisit({ ...visit, since: null })}>
          {texts.seen}
        </Button>
      </div>
      <ul>
        {news.slice(0, mostShown).map((entry, index) => (
          <li key={`${entry.at} ${index}`}>
            <time dateTime={entry.at}>{formatTime(entry.at)}</time> {describeEntry(entry, messages)}
            {event === null && entry.event && (
              <>
                {' '}
                <Link href={`/events/${entry.event.uuid}`}>{entry.event.title}</Link>
              </>
            )}
          </li>
        ))}
      </ul>
      {news.length > mostShown && <p className="ev-hint">{texts.moreNews(news.length - mostShown)}</p>}
    </section>
  );
}
